"""A terminal session as a moving picture: an SVG out of what a command really printed.

    python docs/pictures/terminal.py SESSION.txt > SESSION.svg

Each line of SESSION appears after the one before it; `[ 12.3s]` and `[  12.3 s]` at the beginning
of lines set the pace, sixty times as fast as it was. Lines that are cut are cut at the right edge.
"""

import re
import sys
from html import escape
from pathlib import Path

COLUMNS, SIZE, LEADING, PAD = 118, 13, 18, 16
STAMP = re.compile(r"^\[ *(\d+\.\d) ?s\]")
PACE, LEAST, MOST, PAUSE = 60.0, 0.12, 2.5, 0.9
BACKGROUND, PLAIN, COMMAND, GOOD, DIM = "#10151c", "#d7dde5", "#7cc4ff", "#8fd694", "#7d8896"


def moments(lines: list[str]) -> list[float]:
    """When each line appears, in seconds of the picture."""
    now, last, found = 0.3, 0.0, []
    for line in lines:
        stamp = STAMP.match(line)
        step = PAUSE if line.startswith("$") else LEAST
        if stamp:
            step = min(MOST, max(LEAST, (float(stamp[1]) - last) / PACE))
            last = float(stamp[1])
        now += step
        found.append(now)
    return found


def colour(line: str) -> str:
    """Commands, good news and the rest look different."""
    if line.startswith("$"):
        return COMMAND
    if " Ready " in line or "is ready after" in line or "all nodes are ready" in line:
        return GOOD
    return DIM if STAMP.match(line) else PLAIN


def picture(lines: list[str]) -> str:
    """The SVG document."""
    width = COLUMNS * SIZE * 0.602 + 2 * PAD
    height = len(lines) * LEADING + 2 * PAD
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'font-family="ui-monospace,Menlo,Consolas,monospace" font-size="{SIZE}">\n'
        "<style>text{white-space:pre;opacity:0;animation:show .15s forwards}"
        "@keyframes show{to{opacity:1}}</style>\n"
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>\n'
    )
    rows = (
        f'<text x="{PAD}" y="{PAD + (number + 0.75) * LEADING:.0f}" fill="{colour(line)}" '
        f'style="animation-delay:{moment:.2f}s">{escape(line[:COLUMNS])}</text>\n'
        for number, (line, moment) in enumerate(zip(lines, moments(lines), strict=True))
        if line
    )
    return f"{head}{''.join(rows)}</svg>\n"


if __name__ == "__main__":
    sys.stdout.write(picture(Path(sys.argv[1]).read_text().splitlines()))
