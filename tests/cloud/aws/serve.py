"""`python -m tests.cloud.aws.serve PORT`: an AWS alone, on a loopback port of this namespace."""

import signal
import sys

from tests.cloud.aws.server import cloud


def main() -> None:
    """Serve until a signal comes."""
    signals = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    with cloud(port=int(sys.argv[1])):
        signal.sigwait(signals)


if __name__ == "__main__":
    main()
