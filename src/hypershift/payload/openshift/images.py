"""The images of the test payload: which programs each holds, under which names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hypershift.oci import Entry, Settings, Tree, file, link
from hypershift.parts import find
from hypershift.payload.base import CERTIFICATES, NONROOT
from hypershift.payload.images import ENVIRONMENT, Recipe

#: What an image of OpenShift has that ours do without: scripts of control planes ask for it.
SHELL = ("bash", "curl")
#: Every system with GNU's C library has it.
LOOKUP = "getent"
#: busybox's `nslookup` asks for names as they stand; scripts expect the search list to be tried.
NSLOOKUP = f'#!/bin/sh\nexec {LOOKUP} ahosts "$1"\n'
#: Runs the program that its first argument names, as OpenShift's image does.
HYPERKUBE = '#!/bin/sh\nexec "$@"\n'
#: Where the program that renders a cluster's first resources looks for them.
BOOTKUBE = "usr/share/bootkube/manifests/manifests"
#: Where OpenShift's base image has the authorities that programs trust.
TRUST = "etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"
#: Where a program lies that a script of its name starts.
BEHIND = "usr/libexec"
#: Starts a program that is older than our manifests, without the flags that it does not know.
_OLDER = """\
#!/bin/sh
for word do
  shift
  case $word in
    FLAGS) ;;
    *) set -- "$@" "$word" ;;
  esac
done
exec PROGRAM "$@"
"""
MERGED = "/tmp/config.yaml"  # noqa: S108 - of a container that holds this program alone
#: Starts a program that reads its kubeconfig from its configuration alone, while our manifests name
#: it by a flag, as they do for newer ones. `--namespace` says where it would look for itself.
_CONFIGURED = """\
#!/bin/sh
set -eu
verb=$1; shift
while [ $# -gt 0 ]; do
  case $1 in
    --config) config=$2; shift 2 ;;
    --kubeconfig) kubeconfig=$2; shift 2 ;;
    --namespace=*) shift ;;
    *) echo "unexpected argument $1" >&2; exit 1 ;;
  esac
done
printf 'kubeClientConfig:\\n  kubeConfig: %s\\n' "$kubeconfig" | cat "$config" - > MERGED
exec PROGRAM "$verb" --config=MERGED
""".replace("MERGED", MERGED)
#: What the operator's own `render` does: it writes the one definition that it brings.
AUTHENTICATION = """\
#!/bin/sh
# In place of the operator, which no registry of modules has: its command `render` alone.
[ "$1" = render ] || { echo "this image has the command render alone" >&2; exit 1; }
[ "$2" = --asset-output-dir ] || { echo "expected --asset-output-dir DIRECTORY first" >&2; exit 1; }
mkdir -p "$3" && exec cp /manifests/*_rolebindingrestrictions.crd.yaml "$3/"
"""


@dataclass(frozen=True, slots=True)
class Image:
    """One image: programs by their names in it, each a part."""

    name: str
    programs: Mapping[str, str]
    #: Other names of its programs.
    links: Mapping[str, str] = field(default_factory=dict)
    scripts: Mapping[str, str] = field(default_factory=dict)
    #: Scripts that start a program of the same name, which lies elsewhere then.
    launchers: Mapping[str, str] = field(default_factory=dict)
    #: Archives of manifests, each with the folder that goes into one of the image's.
    files: tuple[tuple[str, str, str], ...] = ()
    #: What the image is instead of the release's own, where that cannot be had.
    instead: str = ""
    #: Components whose version the image reports, with the part that has it.
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[str, ...]:
        """What it is made of, beside the common base."""
        return (*self.programs.values(), *dict.fromkeys(archive for archive, _, _ in self.files))

    @property
    def sources(self) -> dict[str, str]:
        """The version of each part that is a program."""
        return {part: find(part).version for part in self.programs.values()}


def _single(name: str) -> Image:
    return Image(name, {name: name})


_API = "openshift-api-manifests.tar"
_FORK = ("kube-apiserver", "kube-controller-manager", "kube-scheduler")

IMAGES = (
    Image("etcd", {"etcd": "openshift-etcd", "etcdctl": "etcdctl", "etcdutl": "etcdutl"}),
    Image(
        "hyperkube",
        {name: f"openshift-{name}" for name in _FORK},
        scripts={"hyperkube": HYPERKUBE},
        versions={"kubernetes": "1.35.1"},
    ),
    # The other commands of `oc` are not asked for here.
    Image("cli", {"kubectl": "kubectl"}, links={"oc": "kubectl"}, scripts={"nslookup": NSLOOKUP}),
    Image(
        "apiserver-network-proxy",
        {"proxy-server": "konnectivity-server", "proxy-agent": "konnectivity-agent"},
    ),
    Image(
        "cluster-config-api",
        {
            "render": "openshift-config-render",
            "write-available-featuresets": "openshift-feature-sets",
        },
        files=(
            (_API, "payload-manifests/crds", BOOTKUBE),
            (_API, "payload-manifests/crds", "manifests"),
            (_API, "payload-manifests/featuregates", "manifests"),
            (_API, "payload-command/empty-resources", "manifests"),
        ),
    ),
    Image(
        "cluster-authentication-operator",
        {},
        scripts={"authentication-operator": AUTHENTICATION},
        files=((_API, "payload-manifests/crds", "manifests"),),
        instead="a script that renders the operator's one definition, without the operator",
    ),
    *map(
        _single,
        (
            "cluster-etcd-operator",
            "openshift-apiserver",
            "oauth-apiserver",
            "route-controller-manager",
            "cluster-policy-controller",
        ),
    ),
    Image(
        "openshift-controller-manager",
        {"openshift-controller-manager": "openshift-controller-manager"},
        launchers={"openshift-controller-manager": _CONFIGURED},
    ),
    Image("cluster-dns-operator", {"dns-operator": "dns-operator"}),
)


def image(
    wanted: Image,
    parts: Mapping[str, Path],
    base: Tree,
    shell: Mapping[str, Entry],
    files: Mapping[str, bytes],
) -> Recipe:
    """One image on the common base, with a shell that knows arrays."""
    tree = Tree()
    for name, part in wanted.programs.items():
        tree.add_all(launched(name, parts[part], wanted.launchers.get(name, "")))
    tree.add_all({f"usr/bin/{name}": link(target) for name, target in wanted.links.items()})
    tree.add_all({f"usr/bin/{name}": file(text, 0o755) for name, text in wanted.scripts.items()})
    tree.add_all({path: file(content) for path, content in files.items()})
    return Recipe((with_shell(base, shell), tree), _settings([*wanted.programs, *wanted.scripts]))


def older(name: str, program: Path, flags: Iterable[str]) -> dict[str, Entry]:
    """A program that is older than our manifests, behind a script that drops newer flags."""
    return launched(name, program, _OLDER.replace("FLAGS", "|".join(f"{one}=*" for one in flags)))


def launched(name: str, program: Path, launcher: str) -> dict[str, Entry]:
    """A program under its name, or behind the script that starts it."""
    if not launcher:
        return {f"usr/bin/{name}": file(program, 0o755)}
    place = f"{BEHIND}/{name}"
    script = launcher.replace("PROGRAM", f"/{place}")
    return {place: file(program, 0o755), f"usr/bin/{name}": file(script, 0o755)}


def _settings(programs: Iterable[str]) -> Settings:
    first = next(iter(programs))
    return Settings((f"/usr/bin/{first}",), (), ENVIRONMENT, NONROOT)


def with_shell(base: Tree, shell: Mapping[str, Entry]) -> Tree:
    """The base as OpenShift has it: real tools in place of busybox's, its place of authorities."""
    return Tree().add_all({**base.entries, **shell, TRUST: base.entries[CERTIFICATES]})
