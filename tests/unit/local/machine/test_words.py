import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypershift.ignition.assignment import assignments
from hypershift.local.machine.units import UnitError, parse
from hypershift.local.machine.words import assigned, specified, words


def shell(line: str, **environment: str) -> list[str]:
    script = f"set -f; for word in {line}; do printf '%s\\0' \"$word\"; done"
    result = subprocess.run(
        ["/bin/sh", "-c", script], env=environment, check=True, capture_output=True
    )
    return result.stdout.decode().split("\0")[:-1]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/bin/a --one two", ["/bin/a", "--one", "two"]),
        ("/bin/sh -c 'echo \"a b\"'", ["/bin/sh", "-c", 'echo "a b"']),
        ('/bin/a "x y" z', ["/bin/a", "x y", "z"]),
        ("/bin/a --flag=${NAME}", ["/bin/a", "--flag=one two"]),
        ("/bin/a $NAME", ["/bin/a", "one", "two"]),
        ("/bin/a 'it costs $$5'", ["/bin/a", "it costs $5"]),
        ("/bin/a ${MISSING}", ["/bin/a", ""]),
        ("/bin/a `id` $(id) ; x > y", ["/bin/a", "`id`", "$(id)", ";", "x", ">", "y"]),
        (r"/bin/a one\stwo", ["/bin/a", "one two"]),
        ("/bin/a ''", ["/bin/a", ""]),
        ("/bin/a *", ["/bin/a", "*"]),
    ],
)
def test_command_lines_mean_to_the_shell_what_they_mean_to_systemd(
    line: str, expected: list[str]
) -> None:
    assert shell(words(line), NAME="one two") == expected


@given(st.text(st.characters(codec="ascii", exclude_characters="\0\\\"'$%\r\n"), min_size=1))
def test_no_text_is_taken_for_shell_syntax(text: str) -> None:
    assert shell(words(f"'{text}'")) == [text]


def test_specifiers_are_filled_in() -> None:
    text = specified("%n %N %p %i 100%%", "get@one.service")
    assert text == "get@one.service get@one get one 100%"


def test_a_specifier_that_a_machine_cannot_answer_is_refused() -> None:
    with pytest.raises(UnitError, match="%H"):
        specified("%H", "a.service")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("A=b C=d", ["A=b", "C=d"]),
        ('"A=b c" D=$E', ["A=b c", "D=$E"]),
        ("A=${NAME} $NAME $$", ["A=${NAME}", "$NAME", "$$"]),
        ("A=%n-100%%", ["A=a.service-100%"]),
        (r'"A=\"b\" \\ c"', ['A="b" \\ c']),
    ],
)
def test_assignments_mean_to_the_shell_what_they_mean_to_systemd(
    line: str, expected: list[str]
) -> None:
    assert shell(assigned(line, "a.service"), NAME="x", E="y") == expected


def test_an_assignment_with_an_unknown_specifier_is_refused() -> None:
    with pytest.raises(UnitError, match="the specifier %4 is not supported"):
        assigned("A=user%40name", "a.service")


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"))


@given(TEXTS)
def test_every_value_that_we_write_arrives_in_a_program_as_it_is(text: str) -> None:
    unit = f"[Service]\n{assignments({'A': text, 'B': 'b'})}ExecStart=/bin/a\n"
    found = parse("a.service", unit)
    assert found.start == ("/bin/a",)
    lines = " ".join(assigned(line, found.name) for line in found.environment)
    assert shell(lines) == [f"A={text}", "B=b"]
