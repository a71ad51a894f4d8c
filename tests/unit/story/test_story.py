"""Which story belongs to a commit."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.story import STORIES, story_of, table


def test_each_story_is_there_and_runs_in_soak() -> None:
    for path in STORIES.values():
        assert "pytest.mark.soak" in Path(path).read_text()


@given(st.integers(0, 16**40 - 1))
def test_a_commit_always_has_the_same_story(number: int) -> None:
    commit = f"{number:040x}"
    assert story_of(commit) == story_of(commit)
    assert story_of(commit) in STORIES


def test_landings_take_turns() -> None:
    commits = [f"{number * 0x9E3779B97F4A7C15 % 16**12:012x}" for number in range(1, 100)]
    assert {story_of(commit) for commit in commits} == set(STORIES)


def test_the_table_tells_story_and_commit() -> None:
    line = table([("0" * 40, "kit: do a thing")])
    assert line.split()[-4:] == ["kit:", "do", "a", "thing"]
    assert line.startswith(story_of("0" * 40))
