import subprocess
from pathlib import Path

import pytest
from tools.version import from_description, semantic, version


@pytest.mark.parametrize(
    ("described", "made"),
    [
        ("v0.1.0-0-gabcdef1", "0.1.0"),
        ("v0.1.0-7-gabcdef1", "0.1.1.dev7+gabcdef1"),
        ("v2.13.9-12-g0a1b2c3", "2.13.10.dev12+g0a1b2c3"),
        ("version-one-3-gabcdef1", ""),
        ("", ""),
    ],
)
def test_a_description_of_git_becomes_a_version(described: str, made: str) -> None:
    assert from_description(described) == made


def test_versions_follow_tags_and_commits(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        subprocess.run(("git", "-C", tmp_path, *who, *words), check=True, capture_output=True)

    assert version(tmp_path) == "0.1.0.dev0"
    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "--message", "one")
    assert version(tmp_path).startswith("0.1.0.dev1+g")
    git("tag", "v0.3.0")
    assert version(tmp_path) == "0.3.0"
    git("commit", "--quiet", "--allow-empty", "--message", "two")
    assert version(tmp_path).startswith("0.3.1.dev1+g")


def test_a_source_distribution_keeps_its_version(tmp_path: Path) -> None:
    (tmp_path / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: hypershift\nVersion: 1.2.3\n")
    assert version(tmp_path) == "1.2.3"


def test_helm_reads_the_version() -> None:
    assert semantic("0.1.0.dev5+gabc") == "0.1.0-dev.5+gabc"
    assert semantic("0.1.0") == "0.1.0"
