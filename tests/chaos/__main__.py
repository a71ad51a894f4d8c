"""`python -m tests.chaos [--seed N] [--minutes M]`: break a living fleet, then see what holds.

It makes an embedded cluster of three nodes in three zones, one SingleReplica and one
HighlyAvailable hosted cluster with nodes, breaks things as the seed says while users and clients go
on, mends what it broke, checks the invariants and removes everything. The report goes to
build/chaos.json. The exit code is 0 only if every invariant holds. A seed gives the same faults
again; what they meet depends on the moment.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.chaos import fault, invariant, plan
from tests.chaos.client import Commands, Watcher, Writer
from tests.chaos.report import Blow, Report
from tests.chaos.story import Story
from tests.chaos.target import Fleet
from tests.e2e import traces
from tests.e2e.embedded import Cluster, a_pod, until
from tests.e2e.hosted import Hosted
from tests.lib.stamp import Stamp

#: An API is silent because of a fault for as long as this after it, at the most.
AFTERMATH = 30.0
POD, NAMESPACE = "prompt", "default"


def say(text: str) -> None:
    """Progress, for who watches."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")


@contextmanager
def a_fleet(base: Path, report: Report) -> Iterator[Fleet]:
    """Make the clusters; afterwards nothing of them may be left on the host."""
    management = Cluster("chaos", base / "clusters")
    management.base.mkdir()
    before = traces.look(management.base)
    words: tuple[str, ...] = ()
    try:
        management.local("up", "--nodes", "3", "--zones", "3")
        words = traces.marks(management)
        files = base / "files"
        files.mkdir()
        single, available = (Hosted(management, name, files) for name in ("single", "available"))
        single.create(nodes=1)
        available.create("--control-plane-availability-policy", "HighlyAvailable", nodes=2)
        yield Fleet(management, single, available)
    finally:
        management.local("reset", "--yes", check=False)
    left = traces.left(before, traces.look(management.base), words)
    report.problems += [f"left on the host: {name} {items[:5]}" for name, items in left.items()]


def breaking(fleet: Fleet, report: Report, minutes: float) -> Iterator[tuple[Blow, float, float]]:
    """Break one thing after the other; yields each blow with its begin and end."""
    began = time.monotonic()
    for one in plan.faults(report.seed):
        if time.monotonic() > began + 60 * minutes:
            return
        begin = time.monotonic()
        try:
            with fault.broken(one, fleet) as what:
                say(f"{one}: {what} for {one.seconds:.0f} s")
                fault.wait(one)
        except fault.NothingToBreakError as error:
            report.missed.append(f"{one}: {str(error)[-120:]}")
        else:
            end = time.monotonic()
            blow = Blow(str(one), what, round(begin - began, 1), round(end - begin, 1))
            report.blows.append(blow)
            yield blow, begin, end
        time.sleep(one.pause)


def run(fleet: Fleet, report: Report, minutes: float, files: Path) -> None:
    """The faults, with clients and users around them, then the invariants."""
    before = invariant.containment(fleet)
    rng = random.Random(report.seed + 1)  # noqa: S311 - a test's chance
    story = Story(fleet, rng, files)
    spans = []
    with ExitStack() as stack:
        clients = {one.name: _clients(one, stack) for one in fleet.hosted}
        with story.going_on():
            spans = list(breaking(fleet, report, minutes))
            say("no more faults; users finish what they began")
        say("waiting until the fleet is whole")
        report.problems += invariant.await_healed(fleet)
        time.sleep(5)  # the last events reach the watches
    for blow, begin, end in spans:
        blow.gaps = {
            name: round(writer.longest_gap(begin, end + AFTERMATH), 2)
            for name, (writer, _, _) in clients.items()
        }
    for name, (writer, watcher, commands) in clients.items():
        report.problems += invariant.kept(writer, watcher, name) + invariant.works(commands)
        report.clients[name] = {
            "acknowledged": len(writer.log.acknowledged),
            "failed": len(writer.log.failed),
            "longest gap": round(writer.log.longest_gap, 2),
            "lists after the first": watcher.lists - 1,
            "commands": commands.done,
            "commands failed": commands.failed,
        }
    report.problems += invariant.contained(fleet, before) + invariant.at_rest(fleet)
    report.wishes = story.done
    report.problems += story.failed


def _clients(hosted: Hosted, stack: ExitStack) -> tuple[Writer, Watcher, Commands]:
    """A writer, a watch of what it writes, and commands in a pod."""
    hosted.apply(a_pod(POD, hosted.management.busybox, "exec sleep 1000000"))
    until(lambda: hosted.get("pod", POD)["status"]["phase"] == "Running", 300)
    return (
        stack.enter_context(Writer(hosted.kubeconfig, hosted.name)),
        stack.enter_context(Watcher(hosted.kubeconfig, hosted.name)),
        stack.enter_context(Commands(hosted, POD, NAMESPACE)),
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--out", type=Path, default=Path("build/chaos.json"))
    chosen = parser.parse_args()
    report = Report(chosen.seed, chosen.minutes, Stamp.now().as_json())
    say(f"seed {report.seed}, {report.minutes:g} minutes")
    with tempfile.TemporaryDirectory(prefix="hypershift-chaos-") as scratch:
        base = Path(scratch)
        with a_fleet(base, report) as fleet:
            run(fleet, report, chosen.minutes, base / "files")
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(json.dumps(report.as_json(), indent=2) + "\n")
    sys.stdout.write(f"{report}\n")
    return 1 if report.problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
