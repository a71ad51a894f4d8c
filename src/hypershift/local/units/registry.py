"""The OCI registry: payload images for machines, by plain HTTP on the bridge's address."""

from pathlib import Path
from textwrap import dedent

from hypershift.local.plan import Plan
from hypershift.local.state import Layout
from hypershift.local.units.unit import Probe, Unit

NAME = "registry"


def unit(where: Layout, plan: Plan, binary: Path) -> Unit:
    """The registry with its images in the state directory."""
    probe = Probe(str(plan.gateway), 5000, "/v2/", tls=False)
    config = where.config / "registry.yaml"
    environment = {"OTEL_TRACES_EXPORTER": "none", "GOGC": "50"}
    argv = (str(binary), "serve", str(config))
    return Unit(NAME, argv, (), probe, environment, quiet=True)


def configuration(where: Layout, plan: Plan) -> str:
    """Its configuration file; pushes come over the same address, from the host alone."""
    return dedent(f"""\
        version: 0.1
        log: {{level: warn, accesslog: {{disabled: true}}}}
        storage:
          filesystem: {{rootdirectory: {where.data(NAME)}}}
          delete: {{enabled: true}}
          maintenance:
            uploadpurging: {{enabled: false}}
        http:
          addr: {plan.registry}
        """)
