"""`python -m tests.lib.sim --seed N`: play a schedule again."""

from tests.lib.sim.schedule import main

raise SystemExit(main())
