"""Questions to AWS that do not depend on each other, asked side by side."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

AT_ONCE = 12
Questions = dict[str, Callable[[], Any]]


def side_by_side(questions: Questions) -> dict[str, Any]:
    """The answers by name; the first failure is raised once all have answered."""
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="look") as threads:
        asked = {name: threads.submit(question) for name, question in questions.items()}
        return {name: answer.result() for name, answer in asked.items()}
