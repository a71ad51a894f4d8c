import subprocess
import sys
import time
from pathlib import Path

from hypershift.local.supervise import guardian, process

SCRIPT = Path(guardian.__file__)


def start(code: str) -> subprocess.Popen[bytes]:
    argv = [sys.executable, "-I", "-S", str(SCRIPT), sys.executable, "-c", code]
    return subprocess.Popen(argv)


def await_file(path: Path) -> str:
    end = time.monotonic() + 10
    while not path.exists() or not path.read_text():
        assert time.monotonic() < end
        time.sleep(0.02)
    return path.read_text()


def test_a_supervisor_that_dies_is_started_again(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    code = f"open({str(marks)!r}, 'a').write('x'); import os, sys; "
    code += f"sys.exit(0) if os.path.getsize({str(marks)!r}) > 1 else os.kill(os.getpid(), 9)"
    assert start(code).wait(timeout=20) == 0
    assert marks.read_text() == "xx"


def test_the_signal_to_end_reaches_the_supervisor(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    child = start(f"import time; open({str(ready)!r}, 'w').write('x'); time.sleep(60)")
    await_file(ready)
    child.terminate()
    assert child.wait(timeout=10) == 0


def test_what_a_supervisor_leaves_behind_is_kept_and_reaped(tmp_path: Path) -> None:
    record = tmp_path / "pid"
    code = "import subprocess, time; child = subprocess.Popen(['sleep', '60'], "
    code += "start_new_session=True); "
    code += f"open({str(record)!r}, 'w').write(str(child.pid)); time.sleep(60)"
    child = start(code)
    orphan = process.identify(int(await_file(record)))
    assert orphan is not None
    child.terminate()
    time.sleep(0.3)
    assert child.poll() is None
    assert orphan.alive
    subprocess.run(["kill", str(orphan.pid)], check=True)
    assert child.wait(timeout=10) == 0
    assert process.stat(orphan.pid) is None
