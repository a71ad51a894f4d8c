"""`make release`: everything that a release publishes, in one directory.

wheel and source distribution, the chart as Helm packages it, the image's bill of materials, the
changelog's section, and the checksums of all. Chart and bill are made by the wheel itself, out of
an environment that holds the locked packages alone: what is published has run once.
"""

import argparse
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import yaml

from tools.version import ROOT, semantic, version

SUMS = "SHA256SUMS"


def changelog_section(text: str, wanted: str) -> str:
    """A version's section of the changelog; what is unreleased for a version that is none."""
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    for title in (wanted, "Unreleased"):
        for section in sections:
            heading, _, body = section.partition("\n")
            if heading.strip("[] ").startswith(title):
                return f"## {heading}\n{body.rstrip()}\n"
    raise SystemExit(f"CHANGELOG.md has neither a section {wanted} nor Unreleased")


def package_chart(chart: Path, out: Path, released: str) -> Path:
    """Pack a chart as `helm package` does: one folder, named after it; equal input, equal bytes."""
    described = yaml.safe_load((chart / "Chart.yaml").read_text())
    described |= {"version": semantic(released), "appVersion": released}
    (chart / "Chart.yaml").write_text(yaml.safe_dump(described, sort_keys=True))
    target = out / f"{described['name']}-{described['version']}.tgz"
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as archive:
        for path in sorted(each for each in chart.rglob("*") if each.is_file()):
            member = tarfile.TarInfo(f"{described['name']}/{path.relative_to(chart)}")
            member.size, member.mode = path.stat().st_size, 0o644
            with path.open("rb") as content:
                archive.addfile(member, content)
    target.write_bytes(gzip.compress(raw.getvalue(), mtime=0))
    return target


def checksums(directory: Path) -> str:
    """The lines that `sha256sum --check` reads."""
    files = sorted(each for each in directory.iterdir() if each.name != SUMS)
    lines = (f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in files)
    return "".join(lines)


def install(uv: Path, wheel: Path, directory: Path) -> Path:
    """Install a wheel with the locked packages into a new environment; give its program."""
    locked = directory / "requirements.txt"
    export = ("export", "--frozen", "--no-dev", "--no-emit-project", "--quiet")
    _run(uv, *export, "--output-file", locked)
    environment = directory / "environment"
    python = environment / "bin" / "python"
    _run(uv, "venv", "--quiet", "--python", sys.executable, environment)
    _run(uv, "pip", "install", "--quiet", "--python", python, "--requirement", locked)
    _run(uv, "pip", "install", "--quiet", "--python", python, "--no-deps", wheel)
    return environment / "bin" / "hypershift"


def build(uv: Path, out: Path) -> None:
    """Make everything anew."""
    released = version()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    _run(uv, "build", "--quiet", "--out-dir", out.resolve())
    (out / ".gitignore").unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        program = install(uv, next(out.glob("*.whl")).resolve(), Path(scratch))
        chart = Path(scratch, "chart")
        _run(program, "install", "helm", f"--output-dir={chart}")
        package_chart(chart, out, released)
        bill = subprocess.check_output((program, "image", "sbom"), cwd=scratch)
    (out / f"hypershift-{released}.cdx.json").write_bytes(bill)
    text = (ROOT / "CHANGELOG.md").read_text()
    (out / "CHANGELOG.md").write_text(changelog_section(text, released))
    (out / SUMS).write_text(checksums(out))


def _run(*words: str | Path) -> None:
    # The commit's time stands in archives: the same commit gives the same bytes.
    shown = subprocess.run(
        ("git", "log", "-1", "--format=%ct"), cwd=ROOT, capture_output=True, text=True, check=False
    )
    epoch = {"SOURCE_DATE_EPOCH": shown.stdout.strip() or "0"}
    subprocess.run(words, cwd=ROOT, check=True, env={**os.environ, **epoch})


def main() -> None:
    parser = argparse.ArgumentParser(description="Make a release's files.")
    parser.add_argument("--uv", type=Path, default=Path("uv"))
    parser.add_argument("--out", type=Path, default=Path("build/release"))
    chosen = parser.parse_args()
    build(chosen.uv, chosen.out)
    sys.stdout.write((chosen.out / SUMS).read_text())


if __name__ == "__main__":
    main()
