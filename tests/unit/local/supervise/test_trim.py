import os
import subprocess
import sys

import pytest

from hypershift.local.supervise import trim

MAPS = """\
00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/a program
00e03000-00e24000 rw-p 00000000 00:00 0           [heap]
7f0000000000-7f0000001000 rw-p 00000000 00:00 0
"""


def test_only_mapped_files_are_given_back() -> None:
    assert list(trim.file_ranges(MAPS)) == [(0x400000, 0x52000)]


@pytest.mark.skipif(sys.platform != "linux", reason="a wish that Linux alone grants")
def test_a_process_goes_on_after_its_pages_went() -> None:
    words = "print('ready', flush=True); print(sum(map(int, input().split())))"
    with subprocess.Popen(
        (sys.executable, "-c", words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        trim.trim(child.pid)
        assert child.communicate("19 23\n")[0] == "42\n"


def test_a_process_that_is_gone_is_nothing_to_complain_about() -> None:
    child = subprocess.Popen((sys.executable, "-c", ""))
    child.wait()
    assert trim.trim(child.pid) == 0


def test_this_process_can_be_trimmed() -> None:
    trim.trim_self()
    assert os.getpid()
