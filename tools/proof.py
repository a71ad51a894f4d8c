"""docs/proof.md: the figures of the last runs, out of what those runs wrote.

`python -m tools.proof take` copies build/{bench,chaos}.json and build/conformance/summary.json,
where they are, to docs/proof; `python -m tools.proof` writes the page from docs/proof alone. So no
figure is there without a run behind it.
"""

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

KEPT = Path("docs/proof")
PAGE = Path("docs/proof.md")
BUILT = {
    "conformance": Path("build/conformance/summary.json"),
    "chaos": Path("build/chaos.json"),
    "bench": Path("build/bench.json"),
}
HEAD = """# What was measured

Written by `make proof` from the files in [proof](proof/), which the runs themselves wrote. Each
section names commit, machine and date; a run that is not listed was not kept. Repeat them:
`make conformance`, `make chaos`, `make bench`.
"""

Json = dict[str, Any]


def take() -> None:
    """Keep the results of the last runs."""
    KEPT.mkdir(parents=True, exist_ok=True)
    for name, built in BUILT.items():
        if built.is_file():
            shutil.copyfile(built, KEPT / f"{name}.json")


def page(kept: Path) -> str:
    """The whole page; sections of runs that were not kept are absent."""
    sections = {"conformance": conformance, "chaos": chaos, "bench": bench}
    found = [
        section(json.loads(path.read_text()))
        for name, section in sections.items()
        if (path := kept / f"{name}.json").is_file()
    ]
    return "\n".join((HEAD, *found))


def conformance(found: Json) -> str:
    which = "all conformance specs" if found["complete"] else "a choice of conformance specs"
    rows = [
        (one["name"], len(one["passed"]), len(one["failed"]), f"{one['seconds'] / 60:.0f} min")
        for one in found["runs"]
    ]
    told = f"Kubernetes {found['kubernetes']}, {found['nodes']} nodes, {which}: "
    told += f"**{found['passed']} of {found['specs']}** passed.\n"
    return "\n".join(
        (
            "## Kubernetes' conformance suite\n",
            _run(found["run"]),
            told,
            _table(("run", "passed", "failed", "took"), rows),
        )
    )


def chaos(found: Json) -> str:
    """Faults by kind with the longest silence of each API."""
    clusters = sorted({name for blow in found["blows"] for name in blow["gaps"]})
    kinds = sorted({blow["fault"] for blow in found["blows"]})
    rows: list[tuple[object, ...]] = []
    for kind in kinds:
        blows = [blow for blow in found["blows"] if blow["fault"] == kind]
        gaps = (max(blow["gaps"].get(name, 0.0) for blow in blows) for name in clusters)
        rows.append((kind, len(blows), *(f"{gap:.1f} s" for gap in gaps)))
    times = f"{len(found['blows'])} faults"
    held = "every invariant held" if not found["problems"] else "these did not hold:"
    clients = [
        (
            name,
            said["acknowledged"],
            said["failed"],
            f"{said['longest gap']:.1f} s",
            said["commands"],
            said["commands failed"],
        )
        for name, said in found["clients"].items()
    ]
    columns = ("cluster", "writes", "refused", "longest gap", "commands", "commands refused")
    return "\n".join(
        (
            "## A fleet that is broken on purpose\n",
            _run(found["run"]),
            f"Seed {found['seed']}, {found['minutes']:g} minutes, {times}; {held}\n",
            *(f"- {problem}" for problem in found["problems"]),
            _table(columns, clients),
            "The longest time without an acknowledged write, around each fault:\n",
            _table(("fault", "times", *clusters), rows),
        )
    )


def bench(found: Json) -> str:
    rows = [
        (
            one["name"],
            f"{one['value']:.4g} {one['unit']}",
            _budget(one),
            "" if one["within"] else "missed",
        )
        for one in found["figures"]
    ]
    return "\n".join(
        ("## Budgets\n", _run(found["run"]), _table(("figure", "value", "budget", ""), rows))
    )


def _budget(figure: Json) -> str:
    if figure["most"] is not None:
        return f"at most {figure['most']:g}"
    return f"at least {figure['least']:g}" if figure["least"] is not None else "reported"


def _run(stamp: Json) -> str:
    tree = f"`{stamp['commit']}`" + (" with changes" if stamp["changed"] else "")
    machine = f"{stamp['cores']} cores, {stamp['memory_gib']} GiB, Linux {stamp['kernel']}"
    return f"{stamp['date']}, commit {tree}, {machine}, load {stamp['load']:g} before.\n"


def _table(columns: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> str:
    lines = [columns, ("---",) * len(columns), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


if __name__ == "__main__":
    if sys.argv[1:] == ["take"]:
        take()
    PAGE.write_text(page(KEPT))
