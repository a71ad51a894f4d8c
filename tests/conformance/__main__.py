"""`python -m tests.conformance`: a hosted cluster, the suite against it, its results, no trace.

FOCUS and SKIP (regular expressions) choose among the conformance specs; LABELS (a filter of
Ginkgo's) chooses other specs than these. CLUSTER_FLAGS go to `create cluster local`. PROCESSES says
how many run at once in the first run, CONFORMANCE_OUT where results go instead of
build/conformance.
"""

import asyncio
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from tests.conformance import images, results
from tests.lib.stamp import Stamp

from hypershift import parts

CLUSTER, NAMESPACE = "conformance", "clusters"
NODES = 2
CONFORMANCE = "Conformance"
#: The suite's own two halves: specs that may run beside others, and specs that may not.
HALVES = {"parallel": "({labels}) && !Serial", "serial": "({labels}) && Serial"}
LIMIT = "3h"


@dataclass(frozen=True, slots=True)
class Options:
    """What the environment asks for."""

    focus: str
    skip: str
    processes: int
    out: Path
    labels: str = CONFORMANCE
    cluster: tuple[str, ...] = ()

    @classmethod
    def read(cls) -> "Options":
        return cls(
            os.environ.get("FOCUS", ""),
            os.environ.get("SKIP", ""),
            int(os.environ.get("PROCESSES") or 5),
            Path(os.environ.get("CONFORMANCE_OUT") or "build/conformance"),
            os.environ.get("LABELS") or CONFORMANCE,
            tuple(shlex.split(os.environ.get("CLUSTER_FLAGS", ""))),
        )


def hypershift(*words: str, kubeconfig: Path | None = None) -> str:
    """Type a command of the product; its progress goes to stderr."""
    environment = {**os.environ, **({"KUBECONFIG": str(kubeconfig)} if kubeconfig else {})}
    sys.stderr.write(f"$ hypershift {' '.join(words)}\n")
    argv = (sys.executable, "-m", "hypershift.cli", *words)
    return subprocess.run(
        argv, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


@contextmanager
def hosted_cluster(state: Path, flags: tuple[str, ...] = ()) -> Iterator[Path]:
    """Make a hosted cluster on an embedded one and give its kubeconfig; remove both at the end."""
    where = (f"--name={CLUSTER}", f"--state-dir={state}")
    state.mkdir(parents=True, exist_ok=True)
    try:
        hypershift("local", "up", *where)
        admin = state / "management.kubeconfig"
        admin.write_text(hypershift("local", "kubeconfig", *where))
        words = (f"--name={CLUSTER}", f"--node-pool-replicas={NODES}", "--wait")
        hypershift("create", "cluster", "local", *words, *flags, kubeconfig=admin)
        kubeconfig = state / "hosted.kubeconfig"
        kubeconfig.write_text(
            hypershift("create", "kubeconfig", f"--name={CLUSTER}", kubeconfig=admin)
        )
        yield kubeconfig
    finally:
        hypershift("local", "reset", *where, "--yes")


def load_images(archive: Path, kubeconfig: Path, state: Path) -> None:
    """Put the suite's images onto the hosted cluster's nodes."""
    kubectl = (str(parts.path("kubectl")), f"--kubeconfig={kubeconfig}")
    listed = subprocess.check_output((*kubectl, "get", "nodes", "-o", "json"))
    names = [node["metadata"]["name"] for node in json.loads(listed)["items"]]
    machines = ",".join(f"{NAMESPACE}-{CLUSTER}.{name}" for name in names)
    where = (f"--name={CLUSTER}", f"--state-dir={state}")
    hypershift("local", "image", "load", *where, str(archive), f"--machines={machines}")


def run_suite(name: str, kubeconfig: Path, options: Options) -> results.Run:
    """Run one half of the suite; its output goes to a log and to stderr."""
    processes = options.processes if name == "parallel" else 1
    choice = [f"--label-filter={HALVES[name].format(labels=options.labels)}"]
    choice += [f"--focus={options.focus}"] if options.focus else []
    choice += [f"--skip={options.skip}"] if options.skip else []
    report = options.out / f"junit_{name}.xml"
    argv = [
        *(str(parts.path("ginkgo")), "run", f"--procs={processes}", "--no-color"),
        *(f"--timeout={LIMIT}", *choice, f"--junit-report={report.resolve()}"),
        *(str(parts.path("e2e.test")), "--", "--provider=skeleton"),
        *(f"--kubeconfig={kubeconfig}", f"--num-nodes={NODES}"),
    ]
    start = time.monotonic()
    with (options.out / f"{name}.log").open("w") as log:
        done = subprocess.run(argv, stdout=log, stderr=subprocess.STDOUT, check=False)
    return results.read_run(name, report, time.monotonic() - start, done.returncode)


def write_results(summary: results.Summary, out: Path) -> None:
    logs = [out / f"{run.name}.log" for run in summary.runs]
    reports = [out / f"junit_{run.name}.xml" for run in summary.runs]
    (out / "e2e.log").write_bytes(b"".join(log.read_bytes() for log in logs))
    (out / "junit_01.xml").write_bytes(results.merge(reports))
    (out / "PRODUCT.yaml").write_text(results.product(summary.version))
    (out / "summary.json").write_text(summary.as_json())
    for file in (*logs, *reports):
        file.unlink(missing_ok=True)


async def prepare(directory: Path) -> Path:
    """Build or find the suite, and assemble its images."""
    await parts.ensure(("e2e.test", "ginkgo"))
    return images.write(images.recipes(await images.find_sources()), directory)


def main() -> int:
    options, stamp = Options.read(), Stamp.now()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="hypershift-conformance-") as scratch:
        state = Path(scratch)
        archive = asyncio.run(prepare(state))
        with hosted_cluster(state / "local", options.cluster) as kubeconfig:
            load_images(archive, kubeconfig, state / "local")
            runs = tuple(run_suite(name, kubeconfig, options) for name in HALVES)
    summary = results.Summary(
        parts.KUBERNETES,
        version("hypershift"),
        NODES,
        options.focus,
        options.skip,
        stamp.as_json(),
        runs,
        options.labels if options.labels != CONFORMANCE else "",
        options.cluster,
    )
    write_results(summary, options.out)
    sys.stdout.write(f"{summary.passed} passed, {len(summary.failed)} failed: {options.out}\n")
    sys.stdout.writelines(f"  {name}\n" for name in summary.failed)
    return 0 if summary.successful else 1


if __name__ == "__main__":
    raise SystemExit(main())
