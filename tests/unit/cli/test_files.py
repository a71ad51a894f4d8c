from pathlib import Path

import pytest

from hypershift.cli.files import read_file
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
