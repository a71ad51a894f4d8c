"""Words of tenants and guests on an administrator's terminal: they are shown and never obeyed.

A message of a condition may clear the screen, rename the window, paste a command, or turn the
direction of writing, and so hide what it says.
"""

import json
import unicodedata
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hypershift.cli.cluster.wait import Progress
from hypershift.cli.command import Command
from hypershift.cli.get import show
from hypershift.cli.get.ignition import as_json
from hypershift.cli.kubeconfig import shown
from hypershift.cli.main import execute
from hypershift.cli.output import table
from hypershift.cli.typed import Nothing, Typed
from hypershift.explain import text
from hypershift.explain.finding import Finding, Ref, Report, Station
from hypershift.kit import HypershiftError, Manifest
from hypershift.kit.lines import visible

ATTACKS = {
    "clear": "\x1b[2J\x1b[H",
    "title": "\x1b]0;root\x07",
    "paste": "\x1b[201~rm -rf /\r",
    "one byte": "\x9b2J",
    "over a line": "bad\rgood",
    "a row of its own": "x\nclusters   safe   True",
    "backspaces": "evil\x08\x08\x08\x08good",
    "turned": "\u202etxt.exe",
    "isolated": "\u2066a\u2069",
}
OBEYED = {"Cc", "Cf", "Zl", "Zp", "Cs", "Co"}


def harmful(said: str) -> set[str]:
    """Signs of a text that a terminal does something else with than to show them."""
    return {sign for sign in said if sign != "\n" and unicodedata.category(sign) in OBEYED}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_cell_of_a_table_is_one_cell(attack: str) -> None:
    found = table(("NAME", "REASON"), [("demo", ATTACKS[attack])])
    assert harmful(found) == set()
    assert len(found.splitlines()) == 2


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_row_that_changes_is_one_row(
    attack: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(_listing: Any, _items: Any, _form: str) -> tuple[Any, Any]:
        return ("NAME", "REASON"), [("demo", ATTACKS[attack])]

    monkeypatch.setattr(show, "rows", made)
    item: Manifest = {"metadata": {"name": "demo"}}
    printed = show.Printed(SimpleNamespace(), "table")  # type: ignore[arg-type]
    printed.one("MODIFIED", item)
    found = capsys.readouterr().out
    assert harmful(found) == set()
    assert len(found.splitlines()) == 1


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_is_waited_for_is_one_line(attack: str, capsys: pytest.CaptureFixture[str]) -> None:
    Progress().say(ATTACKS[attack])
    found = capsys.readouterr().err
    assert harmful(found) == set()
    assert len(found.splitlines()) == 1


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_error_is_shown(attack: str, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(_: Nothing) -> int:
        raise HypershiftError(ATTACKS[attack])

    assert execute(Command("tool", "A tool", run=Typed(Nothing, fail)), []) == 1
    assert harmful(capsys.readouterr().err) == set()


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_explanation_has_the_lines_that_we_wrote(attack: str) -> None:
    def report(word: str) -> Report:
        place = Ref("HostedCluster", "demo", "clusters")
        cause = Finding(place, word, word, (word,))
        return Report(place, (cause, cause), (Station(place, well=False, says=word),), (word,))

    found = text(report(ATTACKS[attack]))
    assert harmful(found) == set()
    assert len(found.splitlines()) == len(text(report("plain")).splitlines())


@given(st.text(max_size=40))
def test_no_text_has_a_sign_that_is_obeyed(said: str) -> None:
    found = visible(said)
    assert found.isprintable()
    assert said != found or said.isprintable()
    assert "\n" not in visible(said.replace("\n", ""), keep="\n")


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_kubeconfig_that_is_printed_moves_no_cursor(attack: str) -> None:
    sign = json.dumps(ATTACKS[attack])
    content = f"kind: Config\n# {ATTACKS['turned']}\nclusters: []\ncurrent-context: {sign}\n"
    found = shown(content.encode())
    assert harmful(found) == set()
    assert yaml.safe_load(found)["current-context"] == yaml.safe_load(sign)


def test_a_kubeconfig_without_them_is_printed_as_it_is() -> None:
    content = b"kind: Config\n# b\xc3\xbccher\nclusters: []\n"
    assert shown(content).encode() == content


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_a_machine_boots_with_moves_no_cursor(attack: str) -> None:
    assert harmful(as_json({"files": ATTACKS[attack]})) == set()
