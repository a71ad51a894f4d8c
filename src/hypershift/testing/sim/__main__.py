"""`python -m hypershift.testing.sim --seed N`: play a schedule again."""

from hypershift.testing.sim.schedule import main

raise SystemExit(main())
