"""A pod from which a hostile party asks for what is not its own."""

from dataclasses import dataclass

from tests.e2e.embedded import Kubectl, Manifest, until

NAME = "intruder"
PYTHON = "/usr/local/bin/python3"
#: Prints the status of an answer, or 0 where there is none. It verifies nobody: it is the attacker.
ASK = """
import ssl, sys, urllib.error, urllib.request
method, url, *headers = sys.argv[1:]
request = urllib.request.Request(url, method=method)
for one in headers:
    request.add_header(*one.split(": ", 1))
context = ssl._create_unverified_context()
try:
    print(urllib.request.urlopen(request, timeout=5, context=context).status)
except urllib.error.HTTPError as error:
    print(error.code)
except OSError:
    print(0)
"""
REACH = """
import socket, sys
try:
    socket.create_connection((sys.argv[1], int(sys.argv[2])), 3)
    print("reached")
except OSError:
    print("not reached")
"""
#: What a control plane namespace admits.
RESTRICTED = {
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "runAsNonRoot": True,
    "runAsUser": 65532,
    "seccompProfile": {"type": "RuntimeDefault"},
}


@dataclass(frozen=True)
class Intruder:
    """A pod with Python: in a control plane namespace, or on a machine with the host's network."""

    where: Kubectl
    namespace: str

    def enter(self, image: str, *, on_machine: bool) -> None:
        """Run the pod and wait until it runs."""
        self.where.apply(_pod(image, self.namespace, on_machine=on_machine))
        words = ("wait", "pod", NAME, "-n", self.namespace, "--for=condition=Ready")
        self.where.kubectl(*words, "--timeout=180s")
        until(lambda: self._run("print('here')") == "here", 60)

    def leave(self) -> None:
        """Delete the pod."""
        words = ("delete", "pod", NAME, "-n", self.namespace, "--grace-period=0", "--force")
        self.where.try_kubectl(*words)

    def ask(self, url: str, *headers: str, method: str = "GET") -> int:
        """The status that a server answers, 0 for none."""
        return int(self._run(ASK, method, url, *headers))

    def reaches(self, host: str, port: int) -> bool:
        """Whether a connection is made."""
        return self._run(REACH, host, str(port)) == "reached"

    def _run(self, script: str, *words: str) -> str:
        argv = ("exec", "-n", self.namespace, NAME, "--", PYTHON, "-c", script, *words)
        return self.where.kubectl(*argv).strip()


def _pod(image: str, namespace: str, *, on_machine: bool) -> Manifest:
    security = {"privileged": True} if on_machine else RESTRICTED
    forever = "import time; time.sleep(100000)"
    container = {
        "name": "main",
        "image": image,
        "command": [PYTHON, "-c", forever],
        "securityContext": security,
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": NAME, "namespace": namespace, "labels": {"app": NAME}},
        "spec": {
            "terminationGracePeriodSeconds": 0,
            "automountServiceAccountToken": False,
            "hostNetwork": on_machine,
            "containers": [container],
        },
    }
