"""Which story is next."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.lib.runs import STORY, Run, Step
from tests.lib.stamp import Stamp
from tests.story import EVERY, STORIES, WAITING, due

STAMP = Stamp("0123456789ab", changed=False, date="", cores=2, memory_gib=24, kernel="", load=0.0)
COMMITS = st.integers(0, 16**40 - 1).map("{:040x}".format)


def a_run(story: str, *failed: str) -> Run:
    return Run(STAMP, (Step(STORY, story, 3, 0, 100.0, failed),), "make story" if failed else "")


def test_each_story_is_there_and_runs_in_soak() -> None:
    for words in EVERY.values():
        files = [Path(word) for word in words if word.endswith(".py")]
        assert files
        assert all("pytest.mark.soak" in file.read_text() for file in files)


def test_ten_landings_have_room_for_all() -> None:
    assert len(EVERY) == len(STORIES) + len(WAITING) <= 10


@given(st.lists(COMMITS, min_size=2 * len(STORIES), max_size=2 * len(STORIES)))
def test_as_many_runs_as_there_are_stories_have_run_all(commits: list[str]) -> None:
    runs: list[Run] = []
    for commit in commits:
        runs.append(a_run(due(commit, runs)))
    names = [run.steps[0].suite for run in runs]
    for first in range(len(STORIES) + 1):
        assert set(names[first : first + len(STORIES)]) == set(STORIES)


@given(COMMITS)
def test_a_commit_decides_where_nothing_is_kept(commit: str) -> None:
    assert due(commit, []) == due(commit, [Run(STAMP, ())])


def test_commits_begin_with_different_stories() -> None:
    commits = [f"{number * 0x9E3779B97F4A7C15 % 16**12:012x}" for number in range(1, 100)]
    assert {due(commit, []) for commit in commits} == set(STORIES)


def test_a_story_that_failed_stays_next() -> None:
    first, *rest = sorted(STORIES)
    green = [a_run(name) for name in rest]
    assert due("0" * 40, [*green, a_run(first, "it broke")]) == first
    assert due("0" * 40, [*green, a_run(first, "it broke"), a_run(first)]) == rest[0]


def test_a_story_that_left_the_rotation_is_no_longer_waited_for() -> None:
    assert due("0" * 40, [a_run("once upon a time")]) in STORIES
