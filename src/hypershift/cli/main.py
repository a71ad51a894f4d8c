"""The program: finds the command, runs it, and reports an error in one sentence."""

import asyncio
import difflib
import json
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path

from hypershift.cli.command import Command, Lazy, Line, check, interpret
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.help import help_text, tree
from hypershift.kit import HypershiftError, UsageError
from hypershift.kit.lines import visible

INTERRUPTED = 130
#: Commands for which the original answers an unknown word with its help and exit code 0.
FORGIVING = ("install", "create", "destroy", "dump", "fix", "console-logs")
COMPLETION = "Scripts that complete commands in a shell"

HYPERSHIFT = Command(
    "hypershift",
    "Hosted control planes for Kubernetes and OpenShift",
    description=(
        "Runs the control planes of many clusters as pods on one management cluster; workers join\n"
        "from elsewhere. Everything is declared with HostedCluster and NodePool objects."
    ),
    flags=(Flag("version", "Print the version", BOOL, short="v"),),
    commands=(
        Lazy("demo", "A hosted cluster with nodes on this machine", "hypershift.cli.demo"),
        Lazy("install", "Install the operator on a cluster", "hypershift.cli.install"),
        Lazy("uninstall", "Remove the operator from a cluster", "hypershift.cli.uninstall"),
        Lazy("create", "Create clusters, node pools and what they need", "hypershift.cli.create"),
        Lazy("destroy", "Destroy clusters and what belongs to them", "hypershift.cli.destroy"),
        Lazy("upgrade", "Move clusters and pools to another release", "hypershift.cli.upgrade"),
        Lazy("rotate", "Replace what a cluster is trusted by", "hypershift.cli.rotate"),
        Lazy("restore", "Bring back what a backup has", "hypershift.cli.recovery.restore"),
        Lazy("move", "Move clusters to another place", "hypershift.cli.recovery.move"),
        Lazy("get", "Show hosted clusters, node pools and components", "hypershift.cli.get"),
        Lazy("explain", "Say why a cluster or a pool is not well", "hypershift.cli.explain"),
        Lazy("dump", "Collect what support needs", "hypershift.cli.dump"),
        Lazy("console-logs", "Get the consoles of machines", "hypershift.cli.console_logs"),
        Lazy("fix", "Repair what a disaster left", "hypershift.cli.fix"),
        Lazy("local", "A management cluster on this machine", "hypershift.cli.local"),
        Lazy("kubectl", "kubectl for the management or a hosted cluster", "hypershift.cli.kubectl"),
        Lazy("parts", "The real binaries that everything runs on", "hypershift.cli.parts"),
        Lazy("payload", "Kubernetes releases as images", "hypershift.cli.payload"),
        Lazy("image", "This program as a container image", "hypershift.cli.image"),
        Lazy("render", "Print what a HostedCluster would become", "hypershift.cli.render"),
        Lazy("operator", "The HyperShift operator", "hypershift.cli.roles", "OPERATOR"),
        Lazy(
            "control-plane-operator",
            "The operator of one control plane",
            "hypershift.cli.roles",
            "CONTROL_PLANE_OPERATOR",
        ),
        Lazy(
            "hosted-cluster-config-operator",
            "Configures one hosted cluster from inside",
            "hypershift.cli.roles",
            "HOSTED_CLUSTER_CONFIG_OPERATOR",
        ),
        Lazy(
            "machine-approver",
            "Approves the certificates of one cluster's machines",
            "hypershift.cli.roles",
            "MACHINE_APPROVER",
        ),
        Lazy(
            "control-plane-pki-operator",
            "Break-glass signers of one control plane",
            "hypershift.cli.roles",
            "PKI_OPERATOR",
        ),
        Lazy(
            "ignition-server",
            "Serves machines their configuration",
            "hypershift.cli.roles",
            "IGNITION_SERVER",
        ),
        Lazy(
            "karpenter-operator",
            "Nodes of one hosted cluster that Karpenter makes",
            "hypershift.cli.roles",
            "KARPENTER_OPERATOR",
        ),
        Lazy("api", "Custom resource definitions and their documentation", "hypershift.cli.api"),
        Lazy("completion", COMPLETION, "hypershift.cli.completion"),
        Lazy("version", "Print versions", "hypershift.cli.version"),
    ),
)

HCP = Command(
    "hcp",
    "Hosted clusters and their node pools",
    commands=(
        Lazy("create", "Create clusters and their node pools", "hypershift.cli.create", "PRODUCT"),
        Lazy("destroy", "Destroy clusters and node pools", "hypershift.cli.destroy", "PRODUCT"),
        Lazy("completion", COMPLETION, "hypershift.cli.completion", "PRODUCT"),
        Lazy("version", "Print versions", "hypershift.cli.version"),
    ),
)


#: The operator's program in our image, as the original's Deployment calls it.
OPERATOR = Lazy("hypershift-operator", "The HyperShift operator", "hypershift.cli.roles.program")
#: The program that the Deployment of a control plane's PKI operator starts.
PKI_OPERATOR = Lazy(
    "control-plane-pki-operator",
    "Break-glass signers of one control plane",
    "hypershift.cli.roles.pki_program",
)
#: The program that the Deployment of Karpenter's operator starts.
KARPENTER_OPERATOR = Lazy(
    "karpenter-operator",
    "Nodes of one hosted cluster that Karpenter makes",
    "hypershift.cli.roles.karpenter",
    "PROGRAM",
)
#: The program of one control plane; its helpers are found before this one is asked.
CONTROL_PLANE_OPERATOR = Lazy(
    "control-plane-operator",
    "The operator of one control plane",
    "hypershift.cli.roles",
    "CONTROL_PLANE_OPERATOR",
)


PROGRAMS = (OPERATOR, PKI_OPERATOR, KARPENTER_OPERATOR, CONTROL_PLANE_OPERATOR)


def main() -> None:
    """Entry point of the programs; the name that was typed chooses the tree."""
    program = Path(sys.argv[0]).name
    known = {
        each.name: each
        for each in (OPERATOR, PKI_OPERATOR, KARPENTER_OPERATOR, CONTROL_PLANE_OPERATOR)
    }
    root = known[program].load() if program in known else HYPERSHIFT
    # A supervisor's signal ends a command as Ctrl-C does: in order, with what it started.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    sys.exit(execute(HCP if program == "hcp" else root, sys.argv[1:]))


def execute(root: Command, words: list[str]) -> int:
    """Run one command line and give its exit code; a user's mistake never shows a traceback."""
    try:
        return _answer(root, words)
    except HypershiftError as error:
        _complain(root, str(error))
        return 1
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            # The reader of our output has ended (`| head`): nothing more can be printed.
            sys.stdout = None
            return 0
        _complain(root, _of_file(error))
        return 1
    except KeyboardInterrupt:
        print("Aborted...", file=sys.stderr)  # noqa: T201 - the original's word on Ctrl-C
        return INTERRUPTED


def _answer(root: Command, words: list[str]) -> int:
    if words == ["--dump-command-tree"]:
        json.dump(tree(root), sys.stdout, indent=1)
        return 0
    if words[:1] in (["__complete"], ["__completeNoDesc"]):
        from hypershift.cli.completion import answer  # noqa: PLC0415 - only shells ask this

        sys.stdout.write(answer(root, words))
        return 0
    line = interpret(root, words)
    for warning in line.warnings:
        sys.stderr.write(f"{warning}\n")
    check(line)
    return _run(line)


def _of_file(error: OSError) -> str:
    """What went wrong with a file, and with which."""
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)


def _run(line: Line) -> int:
    if line.command.run is None and line.values.arguments and not line.wants_help:
        if len(line.path) == 1 or line.path[1].name not in FORGIVING:
            raise UsageError(_unknown(line))
        sys.stdout.write(_unknown(line) + "\n\n")
    if line.wants_help or line.command.run is None:
        sys.stdout.write(help_text(line.path))
        return 0 if line.wants_help or len(line.path) > 1 else 1
    outcome = line.command.run(line.values)
    if isinstance(outcome, Coroutine):
        outcome = asyncio.run(outcome)
    return outcome or 0


def _unknown(line: Line) -> str:
    """An unknown word, and the commands that exist."""
    words = " ".join(command.name for command in line.path)
    wrong = line.values.arguments[0]
    known = [child.name for child in line.command.commands if not child.hidden]
    near = difflib.get_close_matches(wrong, known, n=1)
    hint = f"\n\nDid you mean this?\n\t{near[0]}\n" if near else ""
    return f'unknown command "{wrong}" for "{words}"{hint}\nRun \'{words} --help\' for usage.'


def _complain(root: Command, said: str) -> None:
    message = visible(said, keep="\n\t")
    if root is HCP:  # the original's product program prints every error twice
        sys.stderr.write(f"Error: {message}\n")
    sys.stderr.write(f"{message}\n")
