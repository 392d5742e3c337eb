"""The matcher of traced code against `re`, on the same patterns and texts."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from xsynth.errors import UnsupportedError
from xsynth.trace.bounds import bounds
from xsynth.trace.proxies import SymStr, recording
from xsynth.trace.regex.standing import Pattern, module
from xsynth.trace.terms import Cell, Sort, evaluate

PATTERNS = [
    *("a", "ab*", "a|b", "(a|ab)(c|bcd)?", "a*?b", "(a+)+$", "(a|a)*b", "(a*)*", "(a*)+b", "()*"),
    *("^a", "a$", "^$", r"\bab\b", r"\Ba", r"\Aa\Z", "(?m)^a$", ".", "(?s).", "a.c", "[a-c]x"),
    *("[^a]", r"\d+", r"\w+\s", r"[\w-]+", r"(a)(b)?\1", "(?:a|b){2}", "a{2,3}", "a{0}", "a{2,}?"),
    *("(?i)aB", "(?i)[a-b]+", "(?=a)[ab]", "(?!a)[ab]", "(?<=a)b", "(?<!a)b", "(?P<x>a)(?P=x)"),
    *("(a)?(?(1)b|c)", "(?:(a)|b)*", "(?:a|(b))+", "(a(b)?)+", "(?i:a)b", "a(?#note)b", "|a"),
    *("(?:a?){3}a{3}", "(a?)*?b", "((a)|(b))*", r"(\w)\1", "x*", "(?:)", r"[.\]]", r"\n$", "ab|a"),
    *("((a)*?)*b", "((a*)*?)*$", "(?:(?:a?|b)*?)+c", "(a)()", "(ab)(?<=(a)b)", "((a)b)"),
]
if hasattr(re, "NOFLAG"):
    PATTERNS += ["(?>a*)b", "a*+b", "a++", "(?>a|ab)c"]
TEXTS = st.text("abcAB x1-\n", max_size=7)


class Follows:
    """Decides as the characters do."""

    def __init__(self, text: str) -> None:
        self.cells = {Cell("s", (i,), Sort.INT): ord(c) for i, c in enumerate(text)}
        self.asked = []

    def test(self, term, frame):
        self.asked.append(term)
        return bool(evaluate(term, self.cells))

    def value(self, term, frame):
        raise AssertionError("a character was made plain")

    def bounds(self, term):
        return bounds(term, dict.fromkeys(self.cells, (0, 126)))

    def look_at_the_clock(self):
        pass

    def symbolic(self):
        return SymStr(self.cells)

    def reveal(self, value):
        match value:
            case SymStr():
                codes = [u if isinstance(u, int) else self.cells[u] for u in value.units]
                return "".join(map(chr, codes))
            case list() | tuple():
                return type(value)(self.reveal(item) for item in value)
            case dict():
                return {key: self.reveal(item) for key, item in value.items()}
        return value


def seen(found):
    if found is None:
        return None
    spans = [found.span(k) for k in range(found.re.groups + 1)]
    return (
        spans,
        found.group(),
        found.groups(),
        found.groupdict(),
        found.start(),
        found.lastindex,
        found.lastgroup,
    )


def everything(library, pattern, text):
    return [
        seen(library.match(pattern, text)),
        seen(library.fullmatch(pattern, text)),
        seen(library.search(pattern, text)),
        seen(library.compile(pattern).search(text, 1, 4)),
        library.findall(pattern, text),
        [found.span() for found in library.finditer(pattern, text)],
        library.split(pattern, text),
        library.split(pattern, text, 1),
        library.split(pattern, text, -1),
        library.subn(pattern, "-", text, count=-1),
        library.sub(pattern, "-", text),
        library.sub(pattern, r"<\g<0>>", text, count=1),
        library.subn(pattern, lambda m: m.group() * 2, text),
    ]


@pytest.mark.parametrize("pattern", PATTERNS)
@settings(max_examples=25)
@given(text=TEXTS)
@example(text="aab")
@example(text="aaaa\n")
def test_matches_are_those_of_re(pattern, text):
    expected = everything(re, pattern, text)
    work: list[int] = []
    assert everything(module(work.append, always=True), pattern, text) == expected
    follows = Follows(text)
    charged: list[int] = []
    with recording(follows):
        found = everything(module(charged.append, always=False), pattern, follows.symbolic())
        assert follows.reveal(found) == expected
    assert not text or charged == work


def test_a_trial_is_a_unit_of_work_and_is_decided_once():
    follows = Follows("aaaaaaab")
    charged: list[int] = []
    with recording(follows):
        assert module(charged.append, always=False).match("(a+)+$", follows.symbolic()) is None
    assert sum(charged) > 2**7
    assert len(follows.asked) == 8 + 1  # and whether the last is a new line


def test_bytes_flags_and_errors():
    library = module(lambda amount: None, always=True)
    assert library.findall(rb"\w+", b"ab c") == [b"ab", b"c"]
    assert library.findall("a.", "A\nab", library.I | library.S) == ["A\n", "ab"]
    assert library.sub("(?P<x>a)", r"[\g<x>\\]", "ba") == "b[a\\]"
    assert library.escape("a.b") == r"a\.b"
    with pytest.raises(re.error):
        library.compile("(")
    with pytest.raises(TypeError):
        library.match("a", b"a")


def test_plain_text_is_matched_by_re_and_what_the_machine_does_is_compared(monkeypatch):
    library = module(lambda amount: None, always=True)
    pattern = library.compile("(a)|b")
    assert type(pattern.match("a")) is re.Match
    assert [type(found) for found in pattern.finditer("ab")] == [re.Match, re.Match]
    monkeypatch.setattr(Pattern, "_from", lambda *arguments, **options: None)
    assert pattern.match("c") is None
    with pytest.raises(UnsupportedError, match="another way"):
        pattern.match("a")
    with pytest.raises(UnsupportedError, match="another way"):
        pattern.findall("ca")


def test_matches_and_patterns_have_the_types_of_the_module():
    library = module(lambda amount: None, always=False)
    follows = Follows("a")
    with recording(follows):
        assert isinstance(library.match("a", follows.symbolic()), library.Match)
    assert isinstance(library.match("a", "a"), library.Match)
    assert isinstance(library.compile("a"), library.Pattern)
    assert library.Match[str] is not None
