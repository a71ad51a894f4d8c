from pathlib import Path

import pytest

from hypershift.cli.files import read_file, write_file
from hypershift.kit import UsageError


@pytest.mark.parametrize("path", ["", "absent"])
def test_a_file_that_is_not_there_is_named(path: str) -> None:
    with pytest.raises(UsageError) as error:
        read_file(path, "no key")
    assert str(error.value) == f"no key: open {path}: no such file or directory"


def test_a_directory_is_opened_but_not_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        read_file(str(tmp_path))
    assert str(error.value) == f"read {tmp_path}: is a directory"


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    path = tmp_path / "absent" / "file"
    with pytest.raises(UsageError) as error:
        write_file(str(path), "text", "no output")
    assert str(error.value) == f"no output: open {path}: no such file or directory"


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = str(tmp_path / "file")
    write_file(path, "text")
    assert read_file(path) == b"text"


def test_a_file_with_secrets_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "objects.yaml"
    path.write_text("older")
    path.chmod(0o644)
    write_file(str(path), "secret", private=True)
    assert path.read_text() == "secret"
    assert path.stat().st_mode & 0o777 == 0o600
