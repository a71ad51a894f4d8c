"""YAML as go-yaml writes it: own small cases; the reference vectors hold the long list."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.ignition import goyaml

#: YAML refuses these raw, and folds U+0085, U+2028 and U+2029 as line breaks.
UNSAFE = "".join(map(chr, range(0x7F, 0xA0))) + "\u2028\u2029\ufeff\ufffe\uffff"
SAFE_TEXT = st.text(st.characters(codec="utf-8", exclude_characters=UNSAFE))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | SAFE_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(SAFE_TEXT, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [1, [2]]}, "a:\n- 1\n- - 2\nb: 1\n"),
        ({"a10": 1, "a2": 1}, "a2: 1\na10: 1\n"),
        ({"k": "yes"}, 'k: "yes"\n'),
        ({"k": "a\nb\n"}, "k: |\n  a\n  b\n"),
        ({"k": "a: b"}, "k: 'a: b'\n"),
        ({"k": "\U0001f680"}, 'k: "\\U0001F680"\n'),
        ({}, "{}\n"),
        (None, "null\n"),
    ],
)
def test_text_equals_that_of_go(value: object, text: str) -> None:
    assert goyaml.json_to_yaml(value) == text


@given(VALUES)
def test_what_is_written_is_read_back(value: object) -> None:
    assert goyaml.load(goyaml.json_to_yaml(value)) == value


@given(VALUES)
def test_writing_twice_gives_the_same_text(value: object) -> None:
    text = goyaml.json_to_yaml(value)
    assert goyaml.json_to_yaml(goyaml.load(text)) == text


def test_words_of_yaml_1_1_are_booleans_also_as_keys() -> None:
    assert goyaml.load("n: y\nyes: 0644") == {"false": True, "true": 420}


def test_errors_speak_as_go_yaml_does() -> None:
    with pytest.raises(goyaml.YamlError, match="yaml: line 2: found character that cannot start"):
        goyaml.load("a:\n\tb: 1\n")
