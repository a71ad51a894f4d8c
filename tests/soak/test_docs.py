"""Pages of the documentation, every command typed as written."""

import os
import re
import sys
from pathlib import Path

import pytest
from tests.e2e.conftest import cluster, hosted  # noqa: F401 - fixtures
from tests.e2e.embedded import run
from tests.e2e.hosted import Hosted

pytestmark = pytest.mark.soak

PAGES = Path(__file__).parents[2] / "docs" / "how-to"
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", ["sample-workload.md", "two-teams.md", "explain-and-dump.md"])
def test_the_commands_of_a_page_work(
    page: str,
    hosted: Hosted,  # noqa: F811 - the fixture
    tmp_path: Path,
) -> None:
    """The pages speak of the demo's cluster; here it is the one that the tests share."""
    blocks = BLOCK.findall((PAGES / page).read_text())
    script = "\n".join(("set -euo pipefail", *blocks))
    script = re.sub(r"\bdemo\b", hosted.name, script).replace("sudo ", "")
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "KUBECONFIG": str(hosted.management.kubeconfig),
    }
    words = ("bash", "-c", f"cd {tmp_path} && {script}")
    run(words, environment=environment, seconds=600)
