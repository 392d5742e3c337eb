"""What of Python's built-ins a traced program calls in another form, by name."""

from __future__ import annotations

SUBSTITUTED = frozenset(
    [
        *("int", "float", "bool", "str", "bytes", "bytearray", "ord", "chr", "pow", "repr"),
        *("isinstance", "type", "sum", "min", "max", "sorted", "format"),
    ]
)
"""Built-ins that a traced program calls in a form that knows proxies."""

PASSED_ON = frozenset({"int", "float", "bool", "str", "repr", "ord", "chr", "sum", "min", "max"})
"""Built-ins that are substituted too where they are passed to `map`, `filter` or `key=`."""

LIST_METHODS = frozenset({"sort", "index", "count", "remove"})
"""Methods of `list` that compare."""

TEXT_METHODS = frozenset(
    [
        "join",
        "startswith",
        "endswith",
        "find",
        "rfind",
        "index",
        "rindex",
        "count",
        "replace",
        "split",
        "rsplit",
        "strip",
        "lstrip",
        "rstrip",
        "partition",
        "rpartition",
        "removeprefix",
        "removesuffix",
        "format",
    ]
)
"""Methods of `str` and `bytes` that take texts: a plain text must accept symbolic ones."""

STATIC = frozenset({"maketrans", "fromhex"})
"""Attributes of `str` and `bytes` that are no methods of a text."""

PATTERN_TYPES = frozenset({"int", "float", "str", "bytes", "bool", "dict", "set", "frozenset"})
"""Built-in types that a class pattern (`case int():`) may name."""
