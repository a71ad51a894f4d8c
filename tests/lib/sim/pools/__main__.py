"""Play schedules of node pools from the command line."""

from tests.lib.sim.pools.schedule import main

raise SystemExit(main())
