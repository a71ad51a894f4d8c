import asyncio
import signal
from pathlib import Path

from hypershift.local.supervise import process
from hypershift.local.units import Unit


def a_unit(*argv: str) -> Unit:
    return Unit("unit", argv)


async def test_a_started_process_is_recognised_by_its_record(tmp_path: Path) -> None:
    running = process.start(a_unit("sleep", "60"), tmp_path / "log", now=1.0)
    process.remember(tmp_path / "record", running)
    assert process.recall(tmp_path / "record") == running
    await running.stop()
    assert process.recall(tmp_path / "record") is None


async def test_the_same_pid_with_another_start_time_is_somebody_else() -> None:
    child = await asyncio.create_subprocess_exec("sleep", "60")
    try:
        found = process.identify(child.pid)
        assert found is not None
        stranger = process.Process(child.pid, found.start_time - 1)
        assert found.alive
        assert not stranger.alive
        await stranger.stop()
        assert child.returncode is None
    finally:
        child.kill()
        await child.wait()


async def test_waiting_ends_with_the_process(tmp_path: Path) -> None:
    running = process.start(a_unit("sleep", "0.1"), tmp_path / "log", now=0.0)
    await asyncio.wait_for(running.wait(), 5)
    assert not running.alive


async def test_a_process_that_ignores_the_signal_is_killed(tmp_path: Path) -> None:
    script = "import signal,time; signal.signal(15, signal.SIG_IGN); print('x', flush=True)"
    log = tmp_path / "log"
    running = process.start(a_unit("python3", "-c", f"{script}; time.sleep(60)"), log, now=0.0)
    while not log.read_text():  # noqa: ASYNC110 - written by another process
        await asyncio.sleep(0.02)
    await running.stop(signal.SIGTERM, grace=0.1)
    assert not running.alive


def test_a_log_is_cut_while_its_writer_keeps_it_open(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("a") as writer:
        for number in range(3):
            writer.write(f"{number}" * 10 + "\n")
            writer.flush()
            process.rotate(log, limit=5, keep=2)
        writer.write("end\n")
    assert log.read_text() == "end\n"
    assert (tmp_path / "log.1").read_text() == "2222222222\n"
    assert (tmp_path / "log.2").read_text() == "1111111111\n"
    assert not (tmp_path / "log.3").exists()


def test_the_tail_of_a_log_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert process.tail(tmp_path / "nothing") == []


def test_a_unit_with_other_words_has_another_digest() -> None:
    assert a_unit("a").digest != a_unit("b").digest
    assert a_unit("a").digest == a_unit("a").digest
