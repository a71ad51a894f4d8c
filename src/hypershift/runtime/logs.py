"""Structured logs: a constant event and its values, as JSON lines or for a terminal."""

import logging
import sys
from typing import Any

import structlog

from hypershift.kit import HypershiftError
from hypershift.kube import Conflict

Log = Any  # structlog's loggers are built at run time and have no static type of their own


def logger(**values: Any) -> Log:
    """A logger that carries these values in every line."""
    return structlog.get_logger().bind(**values)


def log_error(log: Log, what: str, error: Exception, **values: Any) -> None:
    """Log an error at the level of its severity; an unexpected one with its traceback."""
    unexpected = None if isinstance(error, HypershiftError) else error
    name = type(error).__name__
    log.log(loudness(error), what, error=str(error), type=name, exc_info=unexpected, **values)


def loudness(error: Exception) -> int:
    """The level of logging for an error."""
    match error:
        case Conflict():  # another writer was faster, and the next pass reads its result
            return logging.INFO
        case HypershiftError():
            return logging.WARNING
        case _:
            return logging.ERROR


def configure(*, json: bool = True, level: int = logging.INFO) -> None:
    """Set up logging for a process; call it once, from `main`."""
    renderer: Any = (
        structlog.processors.JSONRenderer() if json else structlog.dev.ConsoleRenderer(colors=False)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
