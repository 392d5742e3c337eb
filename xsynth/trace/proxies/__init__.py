"""Proxies: the values that stand for symbolic scalars and texts while user code runs.

Lists, tuples and objects are real and hold proxies; dicts and sets are of kinds of their
own, in which symbolic keys can be looked up.  An operator on a proxy gives a proxy whose
term is the operation; where Python needs a plain value the proxy asks the current recorder.
"""

from xsynth.trace.proxies.base import Symbolic, unwrap, wrap
from xsynth.trace.proxies.boolean import SymBool
from xsynth.trace.proxies.builtins import (
    PATTERNS,
    SUBSTITUTES,
    symbolic_bool,
    symbolic_bytes,
    symbolic_chr,
    symbolic_contains,
    symbolic_float,
    symbolic_int,
    symbolic_isinstance,
    symbolic_method,
    symbolic_ord,
    symbolic_pow,
    symbolic_type,
)
from xsynth.trace.proxies.current import Recorder, current, muted, recording
from xsynth.trace.proxies.formatting import symbolic_repr, symbolic_str
from xsynth.trace.proxies.mappings import SymDict
from xsynth.trace.proxies.number import SymInt, SymReal
from xsynth.trace.proxies.sets import SymFrozenSet, SymSet
from xsynth.trace.proxies.text import SymBytes, SymStr
from xsynth.trace.proxies.written import Field, Written, read, written

__all__ = [
    "PATTERNS",
    "SUBSTITUTES",
    "Field",
    "Recorder",
    "SymBool",
    "SymBytes",
    "SymDict",
    "SymFrozenSet",
    "SymInt",
    "SymReal",
    "SymSet",
    "SymStr",
    "Symbolic",
    "Written",
    "current",
    "muted",
    "read",
    "recording",
    "symbolic_bool",
    "symbolic_bytes",
    "symbolic_chr",
    "symbolic_contains",
    "symbolic_float",
    "symbolic_int",
    "symbolic_isinstance",
    "symbolic_method",
    "symbolic_ord",
    "symbolic_pow",
    "symbolic_repr",
    "symbolic_str",
    "symbolic_type",
    "unwrap",
    "wrap",
    "written",
]
