import json

import pytest

from hypershift.cli.command import Command, Line, understand
from hypershift.cli.flags import BOOL, INT32, STRINGS, Flag
from hypershift.cli.help import help_text, tree
from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.cli.typed import Nothing, Typed
from hypershift.kit import UsageError


def ran(_: Nothing) -> int:
    return 7


NONE = Command(
    "none",
    "A cluster without a platform",
    flags=(Flag("address", short="a"), Flag("wait", type=BOOL), Flag("size", type=INT32)),
    exclusive=(("address", "wait"),),
    run=Typed(Nothing, ran),
)
CLUSTER = Command(
    "cluster",
    "Clusters",
    flags=(Flag("name", required=True, persistent=True), Flag("tag", type=STRINGS)),
    commands=(NONE,),
)
ROOT = Command("hypershift", "The program", commands=(CLUSTER,))


def line(*words: str) -> Line:
    return understand(ROOT, list(words))


def test_flags_of_a_parent_may_stand_before_the_sub_command() -> None:
    found = line("cluster", "--name", "x", "none", "-a=b")
    assert found.command is NONE
    assert found.values["name"] == "x"
    assert found.values["address"] == "b"


def test_only_persistent_flags_are_inherited() -> None:
    with pytest.raises(UsageError, match="unknown flag: --tag"):
        line("cluster", "none", "--name=x", "--tag=a")


def test_a_missing_required_flag_is_named() -> None:
    with pytest.raises(UsageError) as error:
        line("cluster", "none")
    assert str(error.value) == 'required flag(s) "name" not set'


def test_flags_that_exclude_each_other_are_refused_in_the_originals_words() -> None:
    with pytest.raises(UsageError) as error:
        line("cluster", "none", "--name=x", "--wait", "--address=b")
    assert str(error.value) == (
        "if any flags in the group [address wait] are set none of the others can be; "
        "[address wait] were all set"
    )


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("cluster", "none", "--nope"), "unknown flag: --nope"),
        (("cluster", "none", "-z"), "unknown shorthand flag: 'z' in -z"),
        (("cluster", "none", "--address"), "flag needs an argument: --address"),
        (("cluster", "none", "--name=x", "word"), 'unknown command "word" for '),
    ],
)
def test_wrong_words_get_one_clear_sentence(words: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(UsageError) as error:
        line(*words)
    assert str(error.value).startswith(complaint)


def test_a_value_that_looks_like_a_sub_command_stays_a_value() -> None:
    assert line("cluster", "--name", "none", "none").values["name"] == "none"


def test_values_tell_what_was_given() -> None:
    values = line("cluster", "none", "--name=x", "--size=0").values
    assert values.has("size")
    assert not values.has("wait")


def test_the_exit_code_of_the_command_is_the_programs() -> None:
    assert execute(ROOT, ["cluster", "none", "--name=x"]) == 7


def test_a_mistake_is_said_on_stderr_without_a_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert execute(ROOT, ["cluster", "none"]) == 1
    assert capsys.readouterr().err == 'required flag(s) "name" not set\n'


def test_an_unknown_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(ROOT, ["clutser"]) == 1
    assert capsys.readouterr().err.startswith('unknown command "clutser" for "hypershift"')


def test_a_program_without_words_shows_its_help_and_fails(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert execute(ROOT, []) == 1
    assert execute(ROOT, ["cluster"]) == 0
    assert "Available Commands:" in capsys.readouterr().out


def test_help_tells_purpose_usage_and_flags() -> None:
    text = help_text((ROOT, CLUSTER, NONE))
    assert text.startswith(
        "A cluster without a platform\n\nUsage:\n  hypershift cluster none [flags]"
    )
    assert "-a, --address string" in text
    assert "Global Flags:" in text


def test_every_command_of_the_real_program_describes_itself() -> None:
    def walk(node: dict[str, object]) -> None:
        assert node["name"]
        for child in node["commands"]:  # type: ignore[attr-defined]  # a tree of plain JSON
            walk(child)

    walk(json.loads(json.dumps(tree(HYPERSHIFT))))


def test_a_long_flag_moves_the_column_of_the_texts() -> None:
    flags = (Flag("short", "the text"), Flag("x" * 40, "the text"))
    text = help_text((Command("tool", "A tool", flags=flags, run=Typed(Nothing, ran)),))
    assert len({line.index("text") for line in text.splitlines() if line.endswith("text")}) == 1
