"""What a run leaves behind, in the form that Kubernetes' certification asks for."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

import yaml

DOCUMENTATION = "docs/how-to/run-conformance.md"


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the suite: its specs by outcome."""

    name: str
    seconds: float
    exit_code: int
    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """All runs, and what they ran on."""

    kubernetes: str
    version: str
    nodes: int
    focus: str
    skip: str
    run: Mapping[str, object]
    runs: tuple[Run, ...] = field(default=())
    #: Other specs than those of the conformance suite; empty for these.
    labels: str = ""
    #: How the cluster was created, beside the defaults.
    cluster: tuple[str, ...] = ()

    @property
    def passed(self) -> int:
        return sum(len(run.passed) for run in self.runs)

    @property
    def failed(self) -> tuple[str, ...]:
        return tuple(name for run in self.runs for name in run.failed)

    @property
    def successful(self) -> bool:
        """Specs ran, none failed, and no run of the suite broke off."""
        return self.passed > 0 and not self.failed and not any(run.exit_code for run in self.runs)

    def as_json(self) -> str:
        totals = {
            "specs": self.passed + len(self.failed),
            "passed": self.passed,
            "failed": len(self.failed),
            # Certification takes a run of all specs alone.
            "complete": not (self.focus or self.skip or self.labels or self.cluster),
            "successful": self.successful,
        }
        return json.dumps({**totals, **asdict(self)}, indent=2) + "\n"


def read_run(name: str, junit: Path, seconds: float, exit_code: int) -> Run:
    """The outcome of a run by its report; one that broke off early has none."""
    cases = _cases(junit) if junit.is_file() else []
    return Run(
        name,
        round(seconds, 1),
        exit_code,
        tuple(_name(case) for case in cases if case.get("status") == "passed"),
        tuple(_name(case) for case in cases if case.get("status") != "passed"),
    )


def merge(reports: Sequence[Path]) -> bytes:
    """One report out of several, with the specs that ran and without those that were left out."""
    cases = [case for report in reports if report.is_file() for case in _cases(report)]
    failures = sum(case.get("status") != "passed" for case in cases)
    totals = {"tests": str(len(cases)), "failures": str(failures), "errors": "0"}
    totals["time"] = f"{sum(float(case.get('time', 0)) for case in cases):.3f}"
    root = ET.Element("testsuites", totals)
    suite = ET.SubElement(root, "testsuite", {"name": "Kubernetes e2e suite", **totals})
    suite.extend(cases)
    text = io.BytesIO()
    ET.ElementTree(root).write(text, encoding="utf-8", xml_declaration=True)
    return text.getvalue()


def product(version: str) -> str:
    """PRODUCT.yaml of the certification programme."""
    said: Mapping[str, str] = {
        "vendor": "HyperShift in Python",
        "name": "HyperShift in Python",
        "version": version,
        "website_url": "https://github.com/openshift/hypershift",
        "documentation_url": DOCUMENTATION,
        "type": "installer",
        "description": "Hosted control planes for Kubernetes and OpenShift, in Python",
    }
    return yaml.safe_dump(dict(said), sort_keys=False)


def _cases(report: Path) -> list[ET.Element]:
    """The specs of a report that ran; set-up and clean-up of the suite count when they failed."""
    found = ET.parse(report).getroot().iter("testcase")  # noqa: S314 - our own program wrote it
    ran = [case for case in found if case.get("status") not in {"skipped", "pending"}]
    return [case for case in ran if _is_spec(case) or case.get("status") != "passed"]


def _is_spec(case: ET.Element) -> bool:
    return _name(case).startswith("[It]")


def _name(case: ET.Element) -> str:
    return case.get("name", "")
