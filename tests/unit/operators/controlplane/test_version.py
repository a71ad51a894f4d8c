"""The version history of a control plane."""

from datetime import UTC, datetime

from hypershift.operators.controlplane.version import LONGEST, control_plane_version

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_an_entry_is_partial_until_every_component_runs_it() -> None:
    first = control_plane_version(None, "img:1", "1.35.8", 1, NOW, complete=False)
    assert first["history"][0]["state"] == "Partial"
    assert "completionTime" not in first["history"][0]
    done = control_plane_version(first, "img:1", "1.35.8", 1, NOW, complete=True)
    assert done["history"][0]["state"] == "Completed"


def test_a_new_release_closes_the_old_one() -> None:
    first = control_plane_version(None, "img:1", "1.34.0", 1, NOW, complete=False)
    second = control_plane_version(first, "img:2", "1.35.8", 2, NOW, complete=False)
    assert [entry["image"] for entry in second["history"]] == ["img:2", "img:1"]
    assert second["history"][1]["completionTime"] == "2026-01-01T00:00:00Z"


def test_the_history_stays_short_and_keeps_its_ends() -> None:
    status = control_plane_version(None, "img:0", "1.35.0", 1, NOW, complete=True)
    for number in range(1, 150):
        status = control_plane_version(
            status, f"img:{number}", f"1.35.{number}", 1, NOW, complete=False
        )
    history = status["history"]
    assert len(history) == LONGEST
    assert history[0]["image"] == "img:149"
    assert history[-1]["image"] == "img:0"
