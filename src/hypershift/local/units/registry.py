"""The OCI registry on the bridge: payload images for machines and pods, by plain HTTP, read-only.

Every machine and every pod of every hosted cluster reaches this address, so that it takes no
pushes and no deletions: `registry_push` does, on the loopback of the host, for the same content.
"""

from pathlib import Path
from textwrap import dedent

from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout
from hypershift.local.units.unit import Probe, Unit

NAME = "registry"
FILE = "registry-bridge.yaml"
PORT = 5000


def unit(where: Layout, plan: Plan, binary: Path) -> Unit:
    """The registry with its images in the state directory."""
    return serving(NAME, binary, where.config / FILE, str(plan.gateway))


def serving(name: str, binary: Path, config: Path, host: str) -> Unit:
    """A process of the registry, with a configuration file."""
    environment = {"OTEL_TRACES_EXPORTER": "none", "GOGC": "50"}
    probe = Probe(host, PORT, "/v2/", tls=False)
    return Unit(name, (str(binary), "serve", str(config)), (), probe, environment, quiet=True)


def configuration(where: Layout, plan: Plan) -> str:
    """Its configuration file; the registry answers 405 to everything that would change it."""
    return dedent(f"""\
        version: 0.1
        log: {{level: warn, accesslog: {{disabled: true}}}}
        storage:
          filesystem: {{rootdirectory: {where.data(NAME)}}}
          delete: {{enabled: false}}
          maintenance:
            uploadpurging: {{enabled: false}}
            readonly: {{enabled: true}}
        http:
          addr: {plan.registry}
        """)
