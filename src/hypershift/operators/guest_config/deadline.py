"""How long a pass over a hosted cluster may take.

The pass after one that was cut off continues there: what was applied is in the cache by then. The
queue retries it later each time, so that a cluster that uses its time up is looked at less often.
"""

from datetime import timedelta
from typing import Final

GUEST_PASS: Final = timedelta(minutes=2)
