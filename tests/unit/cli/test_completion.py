"""What a shell is told may come next."""

import shutil
import subprocess

import pytest

from hypershift.cli.completion import SCRIPTS, answer, candidates, script
from hypershift.cli.main import HCP, HYPERSHIFT


def names(*words: str) -> list[str]:
    return [name for name, _ in candidates(HYPERSHIFT, list(words))[0]]


def test_sub_commands_are_offered_by_their_beginning() -> None:
    assert names("cre") == ["create"]
    assert names("create", "cluster", "no") == ["none"]
    assert "local" in names("destroy", "cluster", "")


def test_flags_are_offered_with_those_from_above_and_without_hidden_ones() -> None:
    found = names("create", "nodepool", "aws", "--n")
    assert found == ["--name", "--namespace", "--node-upgrade-type"]


def test_the_word_behind_a_flag_is_its_value() -> None:
    assert names("create", "nodepool", "aws", "--node-upgrade-type", "") == ["Replace", "InPlace"]
    assert names("get", "clusters", "-o", "j") == ["json"]
    assert names("get", "clusters", "--output=y") == ["--output=yaml"]


def test_a_flag_before_its_sub_command_does_not_hide_it() -> None:
    assert "aws" in names("create", "cluster", "--name", "create", "")


def test_files_are_offered_where_a_word_is_free() -> None:
    assert (
        answer(HYPERSHIFT, ["__complete", "create", "cluster", "none", "--ssh-key", ""]) == ":0\n"
    )


def test_descriptions_can_be_left_out() -> None:
    assert answer(HCP, ["__completeNoDesc", "destr"]) == "destroy\n:4\n"
    assert answer(HCP, ["__complete", "destr"]).startswith("destroy\t")


@pytest.mark.parametrize("shell", sorted(SCRIPTS))
@pytest.mark.parametrize("program", ["hypershift", "hcp"])
def test_scripts_are_of_one_program(shell: str, program: str) -> None:
    text = script(shell, program)
    assert f"{program} __complete " in text
    assert "{" + "program" not in text


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_itself_accepts_its_script(shell: str) -> None:
    binary = shutil.which(shell)
    if binary is None:
        pytest.skip(f"{shell} is not installed here")
    result = subprocess.run(
        [binary, "-n"],
        input=script(shell, "hypershift"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_bash_completes_with_the_program() -> None:
    """The function of the script runs in a real bash, with a program that answers as ours does."""
    bash = shutil.which("bash")
    assert bash is not None
    lines = (
        "hypershift() { [ \"$*\" = '__complete create cl' ] && printf 'cluster\\tx\\n:4\\n'; }",
        script("bash", "hypershift"),
        "COMP_WORDS=(hypershift create cl) COMP_CWORD=2",
        "__hypershift_complete",
        'echo "${COMPREPLY[@]}"',
    )
    result = subprocess.run(
        [bash, "-c", "\n".join(lines)], capture_output=True, text=True, check=False
    )
    assert result.stdout == "cluster\n", result.stderr
