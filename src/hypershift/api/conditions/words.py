"""What every enum of condition types and of reasons is; a literal string is neither."""

from enum import StrEnum


class ConditionType(StrEnum):
    """What a condition is about."""


class ConditionReason(StrEnum):
    """Why a condition has its status."""
