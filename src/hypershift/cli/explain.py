"""`explain cluster|nodepool NAME`: the first cause of what is wrong, and the next step."""

import json
import sys
from dataclasses import dataclass, replace

from hypershift.cli.command import Command
from hypershift.cli.consoles import console_of, embedded_home, tail
from hypershift.cli.flags import Flag, choice
from hypershift.cli.management import existing, management
from hypershift.cli.output import is_terminal, to_yaml
from hypershift.cli.typed import Typed
from hypershift.explain import Picture, Report, explain_cluster, explain_pool, look, text
from hypershift.kit import key_of
from hypershift.kube import Client, kinds

#: Something is wrong with what was asked about; 1 stays for what could not be asked.
NOT_WELL = 3


@dataclass(frozen=True, slots=True)
class Explain:
    """What `explain` is given."""

    kubeconfig: str
    namespace: str
    operator_namespace: str
    output: str
    subject: str


async def _cluster(options: Explain) -> int:
    async with management(options.kubeconfig) as client:
        picture = await _look(client, options.subject, options)
    return _print_report(explain_cluster(picture), options)


async def _pool(options: Explain) -> int:
    async with management(options.kubeconfig) as client:
        pool = await existing(client, kinds.NODE_POOL, options.subject, options.namespace)
        picture = await _look(client, pool["spec"]["clusterName"], options)
    return _print_report(explain_pool(picture, pool), options)


async def _look(client: Client, name: str, options: Explain) -> Picture:
    cluster = await existing(client, kinds.HOSTED_CLUSTER, name, options.namespace)
    picture = await look(client, cluster, operator_namespace=options.operator_namespace)
    home = embedded_home(options.kubeconfig)
    if home is None:
        return picture
    machines = [key_of(each) for each in picture.of(kinds.LOCAL_MACHINE)]
    consoles = {each.name: tail(console_of(home, each)) for each in machines}
    return replace(picture, consoles=consoles)


def _print_report(report: Report, options: Explain) -> int:
    match options.output:
        case "json":
            sys.stdout.write(json.dumps(report.as_data(), indent=2) + "\n")
        case "yaml":
            sys.stdout.write(to_yaml(report.as_data()))
        case _:
            sys.stdout.write(text(report, colour=is_terminal()))
    return 0 if report.well else NOT_WELL


FORMATS = ("text", "json", "yaml")
FLAGS = (
    Flag("kubeconfig", "Kubeconfig of the management cluster"),
    Flag("name", "Name of the object, instead of the argument"),
    Flag("namespace", "Namespace of the object", default="clusters", short="n"),
    Flag("operator-namespace", "Namespace of the operator", default="hypershift"),
    Flag(
        "output",
        f"Output format: {', '.join(FORMATS)}",
        choice("format", FORMATS, lambda _word: f"must be one of {', '.join(FORMATS)}"),
        "text",
        short="o",
    ),
)
COMMAND = Command(
    "explain",
    "Say why a cluster or a node pool is not well",
    description=(
        "Walks from the HostedCluster over its control plane to pods and events, and from the\n"
        "NodePool over machines, ignition and certificate requests to nodes; names the first\n"
        "cause and the next step. Exits with 0 when all is well, with 3 when it is not."
    ),
    examples="""\
  # why is the cluster not available?
  hypershift explain cluster demo

  # why do nodes not join?
  hypershift explain nodepool demo -o json""",
    commands=(
        Command(
            "cluster",
            "A hosted cluster with its node pools",
            arguments="NAME",
            flags=FLAGS,
            run=Typed(Explain, _cluster),
        ),
        Command(
            "nodepool", "One node pool", arguments="NAME", flags=FLAGS, run=Typed(Explain, _pool)
        ),
    ),
)
