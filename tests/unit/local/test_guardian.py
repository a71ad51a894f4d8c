import subprocess
import sys
import time
from pathlib import Path

from hypershift.local import guardian

SCRIPT = Path(guardian.__file__)


def start(*argv: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-I", "-S", str(SCRIPT), *argv])


def test_a_supervisor_that_dies_is_started_again(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    code = f"open({str(marks)!r}, 'a').write('x'); import os, sys; "
    code += f"sys.exit(0) if os.path.getsize({str(marks)!r}) > 1 else os.kill(os.getpid(), 9)"
    child = start(sys.executable, "-c", code)
    assert child.wait(timeout=20) == 0
    assert marks.read_text() == "xx"


def test_the_signal_to_end_reaches_the_supervisor(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    code = f"import time; open({str(ready)!r}, 'w').close(); time.sleep(60)"
    child = start(sys.executable, "-c", code)
    while not ready.exists():
        time.sleep(0.02)
    child.terminate()
    assert child.wait(timeout=10) == 0
