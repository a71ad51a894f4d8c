"""The version history of a control plane."""

from datetime import UTC, datetime
from typing import Any

import pytest

from hypershift.operators.controlplane.rules.history import LONGEST, pruned
from hypershift.operators.controlplane.rules.version import control_plane_version

NOW = datetime(2026, 1, 1, tzinfo=UTC)
STAMP = "2026-01-01T00:00:00Z"


def states(status: dict[str, Any]) -> list[str]:
    return [entry["state"] for entry in status["history"]]


def test_an_entry_is_partial_until_every_component_runs_it() -> None:
    first = control_plane_version(None, "img:1", "1.35.8", 1, NOW, complete=True)
    assert states(first) == ["Partial"]
    assert "completionTime" not in first["history"][0]
    done = control_plane_version(first, "img:1", "1.35.8", 1, NOW, complete=True)
    assert states(done) == ["Completed"]
    assert done["history"][0]["completionTime"] == STAMP


def test_a_new_release_closes_the_old_one() -> None:
    first = control_plane_version(None, "img:1", "1.34.0", 1, NOW, complete=False)
    second = control_plane_version(first, "img:2", "1.35.8", 2, NOW, complete=True)
    assert [entry["image"] for entry in second["history"]] == ["img:2", "img:1"]
    assert states(second) == ["Partial", "Partial"]
    assert second["history"][1]["completionTime"] == STAMP
    assert second["observedGeneration"] == 2


@pytest.mark.parametrize(
    ("known", "entries"),
    [
        ({"image": "img:1", "version": ""}, 1),
        ({"image": "", "version": "1.35.8"}, 1),
        ({"image": "img:1", "version": "1.35.7"}, 2),
        ({"image": "img:0", "version": "1.35.8"}, 2),
    ],
)
def test_an_entry_that_knows_half_of_a_release_is_about_it(
    known: dict[str, str], entries: int
) -> None:
    found = {"desired": {"image": "img:0"}, "history": [{"state": "Partial", **known}]}
    status = control_plane_version(found, "img:1", "1.35.8", 1, NOW, complete=False)
    assert len(status["history"]) == entries
    newest = status["history"][0]
    assert (newest["image"], newest["version"]) == ("img:1", "1.35.8")


def test_the_history_stays_short_and_keeps_its_ends() -> None:
    status = control_plane_version(None, "img:0", "1.35.0", 1, NOW, complete=False)
    for number in range(1, 150):
        status = control_plane_version(
            status, f"img:{number}", f"1.35.{number}", 1, NOW, complete=False
        )
    history = status["history"]
    assert len(history) == LONGEST
    assert history[0]["image"] == "img:149"
    assert history[-1]["image"] == "img:0"


def a_history(*entries: str) -> list[dict[str, Any]]:
    """Entries of which those with a star are complete, the newest first."""
    return [
        {"state": "Completed" if text.endswith("*") else "Partial", "version": text.rstrip("*")}
        for text in entries
    ]


NEWEST = ("4.9.5", "4.9.4", "4.9.3", "4.9.2", "4.9.1*")


@pytest.mark.parametrize(
    ("older", "gone"),
    [
        # Between two patches of a minor before between two minors.
        (("4.8.3*", "4.8.2", "4.8.1*", "4.7.9", "4.7.0*"), "4.8.2"),
        # Complete, but neither the first nor the last of its minor.
        (("4.8.3*", "4.8.2*", "4.8.1*", "4.7.9", "4.7.0*"), "4.8.2"),
        # Between two minors before landmarks.
        (("4.8.3*", "4.8.1*", "4.7.9", "4.7.1*", "4.7.0*"), "4.7.9"),
        # Landmarks alone: the oldest but the first.
        (("4.8.3*", "4.8.1*", "4.7.9*", "4.7.1*", "4.7.0*"), "4.7.1"),
    ],
)
def test_what_tells_least_goes_first(older: tuple[str, ...], gone: str) -> None:
    history = a_history(*NEWEST, *older)
    left = [entry["version"] for entry in pruned(history, longest=len(history) - 1)]
    assert gone not in left
    assert len(left) == len(history) - 1
