"""`python -m tests.bench`: every budget measured in one run, as a table and as build/bench.json.

A module `bench_<subject>.py` in this folder has a function `figures()` that yields `Figure`s.
"""

import importlib
import json
import sys
from pathlib import Path

from tests.bench.figure import Figure, table
from tests.lib.stamp import Stamp


def main() -> int:
    chosen = set(sys.argv[1:])
    found: list[Figure] = []
    stamp = Stamp.now()
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        subject = path.stem.removeprefix("bench_")
        if chosen and subject not in chosen:
            continue
        sys.stderr.write(f"measuring {subject}\n")
        for figure in importlib.import_module(f"tests.bench.{path.stem}").figures():
            sys.stderr.write(f"  {figure.name}: {figure.value:g} {figure.unit}\n")
            found.append(figure)
    build = Path("build")
    build.mkdir(exist_ok=True)
    results = {"run": stamp.as_json(), "figures": [one.as_json() for one in found]}
    (build / "bench.json").write_text(json.dumps(results, indent=2) + "\n")
    sys.stdout.write(table(found))
    return 0 if all(one.within for one in found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
