"""Play schedules of node pools from the command line."""

from hypershift.testing.sim.pools.schedule import main

raise SystemExit(main())
