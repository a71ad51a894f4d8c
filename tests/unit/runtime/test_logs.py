"""Errors are told as loud as they are bad, and only unexpected ones with where they came from."""

import logging

import pytest
from structlog.testing import capture_logs

from hypershift.kit import InvalidSpec
from hypershift.kube import Conflict
from hypershift.runtime.logs import log_error, logger, loudness


@pytest.mark.parametrize(
    ("error", "level"),
    [
        (Conflict(409, "Conflict", "somebody was faster"), logging.INFO),
        (InvalidSpec("nonsense"), logging.WARNING),
        (RuntimeError("ours"), logging.ERROR),
    ],
)
def test_an_error_is_told_as_loud_as_it_is_bad(error: Exception, level: int) -> None:
    assert loudness(error) == level


def test_only_an_unexpected_error_shows_where_it_came_from() -> None:
    with capture_logs() as lines:
        for error in (InvalidSpec("nonsense"), RuntimeError("ours")):
            log_error(logger(), "it failed", error, key="a")
    assert [line["exc_info"] is None for line in lines] == [True, False]
    assert [(line["key"], line["type"]) for line in lines] == [
        ("a", "InvalidSpec"),
        ("a", "RuntimeError"),
    ]
