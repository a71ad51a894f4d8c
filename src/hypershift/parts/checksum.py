"""Checksums as projects publish them: one bare sha256, or lines of `sha256  file name`."""

import re

from hypershift.parts.errors import PartUnavailable


def published_checksum(text: str, file: str) -> str:
    """The sha256 of a file in a published list, or the only one that is there."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    for words in lines:
        named = len(words) > 1 and words[-1].lstrip("*").rpartition("/")[2] == file
        if (named or len(lines) == len(words) == 1) and re.fullmatch(r"[0-9a-f]{64}", words[0]):
            return words[0]
    raise PartUnavailable(f"no published checksum for {file}")
