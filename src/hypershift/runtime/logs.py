"""Structured logs: a constant event and its values, as JSON lines or for a terminal."""

import logging
import sys
from typing import Any

import structlog

Log = Any  # structlog's loggers are built at run time and have no static type of their own


def logger(**values: Any) -> Log:
    """A logger that carries these values in every line."""
    return structlog.get_logger().bind(**values)


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
