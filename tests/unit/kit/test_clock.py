from datetime import UTC, datetime, timedelta, timezone

from hypershift.kit import SystemClock, from_rfc3339, rfc3339


def test_moments_are_written_as_kubernetes_writes_them() -> None:
    moment = datetime(2026, 1, 2, 5, 4, 5, 999, tzinfo=timezone(timedelta(hours=2)))
    assert rfc3339(moment) == "2026-01-02T03:04:05Z"


def test_moments_read_back_with_and_without_fractions() -> None:
    assert from_rfc3339("2026-01-02T03:04:05Z") == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert from_rfc3339("2026-01-02T03:04:05.250000Z").microsecond == 250000


async def test_the_system_clock_sleeps_at_least_as_long_as_asked() -> None:
    clock = SystemClock()
    before = clock.monotonic()
    await clock.sleep(0.01)
    assert clock.monotonic() - before >= 0.01
    assert clock.now().tzinfo is UTC
