"""Formats a report for a terminal."""

from collections.abc import Iterator

from hypershift.explain.finding import Finding, Report, Station
from hypershift.kit.lines import visible

RED, GREEN, BOLD, PLAIN = "\033[31m", "\033[32m", "\033[1m", "\033[0m"


def text(report: Report, *, colour: bool = False) -> str:
    """The first cause and the next step, then the rest, then the way that was walked."""
    return "\n".join(_lines(report, colour=colour)) + "\n"


def _lines(report: Report, *, colour: bool) -> Iterator[str]:
    if report.well:
        yield _paint(f"{report.subject} is well", GREEN, colour=colour)
    else:
        first, *others = report.causes
        yield _paint(f"{report.subject} is not well", RED, colour=colour)
        yield ""
        yield _paint(f"First cause: {_cause(first)}", BOLD, colour=colour)
        yield from _details(first)
        if others:
            yield ""
            yield "Then:"
        for other in others:
            yield f"  {_cause(other)}"
            yield visible(f"      next: {other.step}")
    yield ""
    yield from (_station(station, colour=colour) for station in report.way)
    if report.unread:
        yield ""
        yield "Could not be read:"
        yield from (visible(f"  {line}") for line in report.unread)


def _cause(finding: Finding) -> str:
    return visible(f"{finding.object}: {finding.cause}")


def _details(finding: Finding) -> Iterator[str]:
    yield from (visible(f"  seen: {line}") for line in finding.seen if line)
    yield visible(f"  next: {finding.step}")


def _station(station: Station, *, colour: bool) -> str:
    mark, shade = ("ok ", GREEN) if station.well else ("BAD", RED)
    return f"{_paint(mark, shade, colour=colour)}  {visible(f'{station.object}  {station.says}')}"


def _paint(words: str, shade: str, *, colour: bool) -> str:
    return f"{shade}{words}{PLAIN}" if colour else words
