"""Somebody at a terminal who types the commands of a page, and looks at what they print."""

import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

BLOCK = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
END = "@@ended@@"
#: How long one looks at what `--watch` shows before Ctrl-C.
LOOK = 8


def commands(page: Path) -> Iterator[str]:
    """The commands of a page, those of several lines as one; what is behind # is not typed."""
    for block in BLOCK.findall(page.read_text()):
        for line in block.replace("\\\n", " ").splitlines():
            if command := re.sub(r"(^|\s+)#.*", "", line).strip():
                yield re.sub(r"\s{2,}", " ", command)


@dataclass
class Terminal:
    """One shell, whose directory, variables and aliases last as long as it does."""

    directory: Path
    environment: dict[str, str]
    typed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Open the shell."""
        self._shell = subprocess.Popen(
            ["/bin/bash"],
            cwd=self.directory,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.type("shopt -s expand_aliases")

    def _read(self) -> None:
        assert self._shell.stdout
        for line in self._shell.stdout:
            self._lines.put(line)

    def type(self, command: str, seconds: float = 900.0) -> tuple[int, str]:
        """Type a command and wait for its end: the exit code, and what was seen."""
        assert self._shell.stdin
        began = time.monotonic()
        words = f"timeout -s INT {LOOK} {command}" if "--watch" in command else command
        told = f"ended=$?; echo; echo {END} $ended\n"
        self._shell.stdin.write(f"{{ {words}\n}} </dev/null\n{told}")
        self._shell.stdin.flush()
        seen: list[str] = []
        while True:
            left = began + seconds - time.monotonic()
            try:
                line = self._lines.get(timeout=max(left, 0.01))
            except queue.Empty:
                raise AssertionError(f"$ {command}\n{''.join(seen)}\nno end: {seconds} s") from None
            if line.startswith(END):
                break
            seen.append(line)
        code, text = int(line.split()[1]), "".join(seen)
        self.typed.append(f"[{time.monotonic() - began:6.1f} s, exit {code}] $ {command}\n{text}")
        return code, text

    def close(self) -> None:
        """End the shell and what it still runs."""
        os.killpg(self._shell.pid, signal.SIGKILL)
        self._shell.wait()
        self._reader.join(10)
        for pipe in (self._shell.stdin, self._shell.stdout):
            assert pipe
            pipe.close()
