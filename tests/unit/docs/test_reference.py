"""The reference of the command line is what the commands say today."""

from pathlib import Path

from hypershift.cli.flags import INT32, Flag
from hypershift.cli.reference import page, row

REFERENCE = Path(__file__).parents[3] / "docs" / "reference" / "cli.md"


def test_the_page_is_current() -> None:
    assert REFERENCE.read_text() == page(), (
        "write it anew: python -m hypershift.cli.reference > docs/reference/cli.md"
    )


def test_a_flag_tells_its_value_its_default_and_whom_it_concerns() -> None:
    flag = Flag("replicas", "How many", INT32, 2, short="r", required=True, persistent=True)
    wanted = "| `--replicas`, `-r` | int32 | How many (required) (default `2`) *below* |"
    assert row(flag) == wanted


def test_what_help_hides_is_hidden_here_too() -> None:
    assert "--node-count" not in page()
    assert "render components" not in page()
