"""Machines that cannot join, and what `explain` names first then."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.e2e.embedded import Manifest, until
from tests.e2e.hosted import Hosted
from tests.soak.explain.patient import NAME, PATIENCE, mended, names_first

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]


class Ignition:
    """The way that machines take to their configuration, closed and opened."""

    def __init__(self, hosted: Hosted) -> None:
        self.hosted = hosted
        words = ("service", "ignition-server", "-n", "hypershift")
        self.selector = hosted.management.get(*words)["spec"]["selector"]

    def close(self) -> None:
        self._select({**self.selector, "closed": "yes"})

    def open(self) -> None:
        self._select({**self.selector, "closed": None})

    def _select(self, selector: Manifest) -> None:
        patch = json.dumps({"spec": {"selector": selector}})
        words = ("patch", "service", "ignition-server", "-n", "hypershift", "--type=merge")
        self.hosted.management.kubectl(*words, "-p", patch)


def scale(hosted: Hosted, nodes: int) -> None:
    patch = json.dumps({"spec": {"replicas": nodes}})
    words = ("patch", "nodepool", NAME, "-n", hosted.namespace, "--type=merge", "-p", patch)
    hosted.management.kubectl(*words)


def new_machine(hosted: Hosted) -> Manifest:
    """Ask for one more machine, and wait until it boots."""
    before = {each["metadata"]["name"] for each in hosted.management.get("machines", "-A")}
    scale(hosted, 2)

    def found() -> Manifest:
        machines = hosted.management.get("machines", "-n", hosted.plane)
        made = [each for each in machines if each["metadata"]["name"] not in before]
        assert made, "there is no new machine"
        assert made[0]["status"]["addresses"]
        result: Manifest = made[0]
        return result

    made: Manifest = until(found, PATIENCE, 5)
    return made


@contextmanager
def one_node_again(hosted: Hosted, ignition: Ignition) -> Iterator[None]:
    def mend() -> None:
        ignition.open()
        scale(hosted, 1)

        def gone() -> bool:
            return len(hosted.management.get("machines", "-n", hosted.plane)) == 1

        until(gone, PATIENCE, 5)

    with mended(hosted, mend):
        yield


def test_an_ignition_server_that_cannot_be_reached(hosted: Hosted) -> None:
    ignition = Ignition(hosted)
    with one_node_again(hosted, ignition):
        ignition.close()
        new_machine(hosted)
        until(names_first(hosted, "Service hypershift/ignition-server"), PATIENCE, 5)


def test_a_token_that_expired(hosted: Hosted) -> None:
    ignition = Ignition(hosted)
    with one_node_again(hosted, ignition):
        ignition.close()
        machine = new_machine(hosted)
        user_data = machine["spec"]["bootstrap"]["dataSecretName"]
        token = f"token-{user_data.removeprefix('user-data-')}"
        hosted.management.kubectl("delete", "secret", token, "-n", hosted.plane)
        ignition.open()
        until(names_first(hosted, f"Secret {hosted.plane}/{token}"), PATIENCE, 5)


def test_a_certificate_request_that_is_refused(hosted: Hosted) -> None:
    ignition = Ignition(hosted)
    with one_node_again(hosted, ignition):
        ignition.close()
        machine = new_machine(hosted)
        addresses = machine["status"]["addresses"]
        [host] = [each["address"] for each in addresses if each["type"] == "Hostname"]
        # A node of that name is there already: whoever asks for its certificate is not believed.
        hosted.apply({"apiVersion": "v1", "kind": "Node", "metadata": {"name": host}})
        try:
            ignition.open()
            until(names_first(hosted, "CertificateSigningRequest /*"), PATIENCE, 5)
        finally:
            hosted.kubectl("delete", "node", host)
