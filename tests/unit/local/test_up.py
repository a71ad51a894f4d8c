import errno
from pathlib import Path

import pytest

from hypershift import parts
from hypershift.kit import HypershiftError, UsageError
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.up import Options, reason, roomy, wanted

WHERE = Layout(Path("/s/a"), "a")


def options(nodes: int | None = None, zones: int | None = None, kubernetes: str = "") -> Options:
    return Options(WHERE, nodes, zones, kubernetes)


def test_a_new_cluster_has_one_node_or_one_for_each_zone() -> None:
    assert wanted(options(), None, 4) == Spec("a", 4, 1, 1, parts.KUBERNETES)
    assert wanted(options(zones=3), None, 4).nodes == 3


def test_a_cluster_keeps_what_was_not_asked_for_and_can_grow() -> None:
    found = Spec("a", 4, 2, 2, parts.KUBERNETES, powered_off=("a-node-1",))
    assert wanted(options(), found, -1).nodes == 2
    grown = wanted(options(nodes=5), found, -1)
    assert (grown.nodes, grown.zones, grown.index) == (5, 2, 4)
    assert grown.powered_off == ()


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        (options(nodes=1), "shrink"),
        (options(zones=1), "zones"),
        (options(kubernetes="1.34.10"), "Kubernetes"),
    ],
)
def test_what_cannot_be_changed_is_refused_with_the_way_out(asked: Options, word: str) -> None:
    with pytest.raises(UsageError, match=word) as caught:
        wanted(asked, Spec("a", 4, 2, 2, "1.35.8"), -1)
    assert "local reset" in str(caught.value)


@pytest.mark.parametrize("asked", [options(nodes=0), options(nodes=99), options(zones=0)])
def test_impossible_sizes_are_refused(asked: Options) -> None:
    with pytest.raises(UsageError, match="1 to"):
        wanted(asked, None, 0)


def test_of_several_failures_the_foreseen_one_is_told() -> None:
    group = ExceptionGroup("x", [OSError("noise"), ExceptionGroup("y", [HypershiftError("why")])])
    assert str(reason(group)) == "why"
    assert str(reason(ExceptionGroup("x", [OSError("noise")]))) == "noise"


def test_a_disk_that_fills_up_is_a_sentence_and_other_errors_stay() -> None:
    with pytest.raises(HypershiftError, match="the disk of /s/a/x is full"), roomy(WHERE):
        raise OSError(errno.ENOSPC, "No space left on device", "/s/a/x")
    with pytest.raises(PermissionError), roomy(WHERE):
        raise PermissionError(errno.EACCES, "Permission denied")
