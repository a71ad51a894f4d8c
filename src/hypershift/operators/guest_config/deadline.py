"""How long a pass over a hosted cluster may take.

A pass that is cut off goes on where it was: what was applied is in the cache by then. The queue
retries it later each time, so that a cluster that uses its time up is looked at less often.
"""

from datetime import timedelta
from typing import Final

GUEST_PASS: Final = timedelta(minutes=2)
