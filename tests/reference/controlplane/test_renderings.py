"""Our renderings against the original's, with the meter that comes with the reference data."""

import re
import subprocess
from pathlib import Path

import pytest

from hypershift.cli.main import execute
from hypershift.cli.render import COMMAND

#: Our own words are worth at most this share of a component.
MOST_EXCUSED = 0.01
#: Pages that people see while they log in are ours from the first line to the last.
PAGES = "-template data["
ROW = r"^([a-z-]+) +\d+ +\d+ +\d+ +\d+ +(\d+) +\d+ +\d+ +100\.00$"
OURS = Path(__file__).parents[2] / "golden" / "component-compare.ignore"


@pytest.mark.reference
def test_components_equal_the_originals_renderings(reference: Path, tmp_path: Path) -> None:
    meter = reference.parent / "tools" / "component-compare"
    if not meter.exists():
        pytest.skip("no meter beside the reference data")
    inputs = str(reference / "components" / "inputs")
    assert execute(COMMAND, ["components", "--inputs", inputs, "--out", str(tmp_path)]) == 0
    ignore = (reference / "components" / "ignore.txt", OURS)
    command = [str(meter), str(reference / "components"), str(tmp_path), "--show", "40"]
    command += [word for path in ignore for word in ("--ignore", str(path))]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    assert all(share <= MOST_EXCUSED for share in excused(result.stdout).values()), result.stdout


def test_no_rule_of_ours_leaves_both_the_object_and_the_path_open() -> None:
    rules = [line.partition(" # ")[0] for line in OURS.read_text().splitlines()]
    words = [rule.split(maxsplit=1) for rule in rules if rule and not rule.startswith("#")]
    assert words
    assert not [rule for rule in words if all("*" in word for word in rule)]


def excused(report: str) -> dict[str, float]:
    """The share of each component's values that rules of our own take out of the measure."""
    values = {row[1]: int(row[2]) for row in re.finditer(ROW, report, re.MULTILINE)}
    taken = dict.fromkeys(values, 0)
    rules = re.findall(r"^ignored +(\d+)  ([a-z-]+)/(.*)$", report, re.MULTILINE)
    for number, component, rule in rules:
        if PAGES not in rule:
            taken[component] += int(number)
    return {name: taken[name] / (taken[name] + values[name]) for name in values}
