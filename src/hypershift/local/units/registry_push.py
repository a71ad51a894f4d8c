"""The OCI registry on the host's loopback: where images are pushed to.

It shares its content with the registry on the bridge. Machines and pods have loopbacks of their
own, and reach the host by the bridge alone.
"""

from pathlib import Path
from textwrap import dedent

from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout
from hypershift.local.units import registry
from hypershift.local.units.unit import Unit

NAME = "registry-push"
FILE = "registry-push.yaml"


def unit(where: Layout, plan: Plan, binary: Path) -> Unit:
    """The registry that takes pushes."""
    return registry.serving(NAME, binary, where.config / FILE, str(plan.loopback))


def configuration(where: Layout, plan: Plan) -> str:
    """Its configuration file."""
    return dedent(f"""\
        version: 0.1
        log: {{level: warn, accesslog: {{disabled: true}}}}
        storage:
          filesystem: {{rootdirectory: {where.data(registry.NAME)}}}
          delete: {{enabled: true}}
          maintenance:
            uploadpurging: {{enabled: false}}
        http:
          addr: {plan.pushes}
        """)
