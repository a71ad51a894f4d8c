"""Every word is one that Kubernetes accepts as a type or a reason."""

import inspect
import re
from enum import StrEnum

import pytest

from hypershift.api import conditions
from hypershift.api.conditions import ConditionReason, ConditionType

WORDS = [
    value
    for value in vars(conditions).values()
    if inspect.isclass(value) and issubclass(value, ConditionType | ConditionReason)
]
REASON = re.compile(r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")
TYPE = re.compile(r"^([-A-Za-z0-9_.]+/)?[A-Za-z0-9][-A-Za-z0-9_.]*$")


@pytest.mark.parametrize("words", WORDS, ids=lambda words: words.__name__)
def test_words_have_the_form_that_a_condition_demands(words: type[StrEnum]) -> None:
    form = REASON if words.__name__.endswith("Reason") else TYPE
    for word in words:
        assert form.match(word), word
