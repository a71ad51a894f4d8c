"""What `local image load` does before a node is touched; nodes are met in e2e."""

from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from hypershift import oci, parts
from hypershift.kit import UsageError
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.images import loading
from hypershift.local.machine import Attachment, Machine, MachineSpec, Metadata

SPEC = Spec("a", 3)


def a_cluster(tmp_path: Path) -> Layout:
    where = Layout(tmp_path / "a", "a")
    where.make()
    return where


def a_node(where: Layout, name: str) -> None:
    spec = MachineSpec(
        name=name,
        scope="mgmt3",
        os_tree=Path("/os"),
        directory=where.machines / name,
        network=Attachment(bridge="b", address="10.0.0.2/24", gateway="10.0.0.1"),
        metadata=Metadata(hostname=name, instance_id=name, provider_id=name, zone="z", region="r"),
    )
    Machine(spec).create()


def an_image(layout: oci.Layout, name: str, architecture: str) -> oci.Image:
    tree = oci.Tree()
    tree.add("app", oci.file(architecture.encode()))
    image = oci.assemble([layout.put_layer(tree)], oci.Settings(), architecture)
    layout.put_image(image)
    layout.name({name: image.descriptor})
    return image


def test_a_machine_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no machine nobody"):
        loading.machines(a_cluster(tmp_path), ("nobody",))


def test_nodes_that_are_down_are_named_with_the_way_out(tmp_path: Path) -> None:
    where = a_cluster(tmp_path)
    a_node(where, "a-node-0")
    with pytest.raises(UsageError, match=r"not running: a-node-0; `hypershift local up`"):
        loading.machines(where, ())


def test_an_image_for_another_architecture_is_refused(tmp_path: Path) -> None:
    layout = oci.Layout(tmp_path / "layout")
    an_image(layout, "quay.io/me/app:1", "s390x")
    oci.write_archive(layout, ["quay.io/me/app:1"], tmp_path / "app.tar")
    with pytest.raises(UsageError, match=r"quay.io/me/app:1 is for s390x"):
        loading.usable(tmp_path / "app.tar")


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        ("./app.tar", "not a file"),
        ("app.tgz", "not a file"),
        ("Not A Reference", "neither a file nor an image reference"),
    ],
)
async def test_a_word_that_means_nothing_is_named(
    tmp_path: Path, word: str, complaint: str
) -> None:
    with pytest.raises(UsageError, match=complaint):
        await loading.archive_of(SPEC, word, None, tmp_path / "0")


async def test_a_file_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "app.tar").touch()
    found = await loading.archive_of(SPEC, str(tmp_path / "app.tar"), None, tmp_path / "0")
    assert found == tmp_path / "app.tar"


async def test_of_an_index_our_architecture_is_pulled_with_the_users_login(
    tmp_path: Path,
) -> None:
    store = oci.Layout(tmp_path / "store")
    mine = an_image(store, "mine", parts.architecture())
    other = an_image(store, "other", "s390x")
    platform = oci.Platform(architecture=parts.architecture())
    entries = [
        oci.Descriptor(
            media_type=oci.MANIFEST,
            digest=image.descriptor.digest,
            size=image.descriptor.size,
            platform=chosen,
        )
        for image, chosen in ((other, oci.Platform(architecture="s390x")), (mine, platform))
    ]
    index = oci.encode(oci.image_index(tuple(entries)))

    async def answer(request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != "Basic bWU6c2VjcmV0":
            return web.Response(status=401, headers={"WWW-Authenticate": 'Basic realm="x"'})
        selector = request.path.rpartition("/")[2]
        if selector == "1":
            return web.Response(body=index, content_type=oci.image_index(()).media_type)
        return web.Response(body=store.read(selector), content_type=oci.MANIFEST)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    async with TestServer(app) as server:
        host = f"127.0.0.1:{server.port}"
        secret = oci.read_pull_secret(f'{{"auths": {{"{host}": {{"auth": "bWU6c2VjcmV0"}}}}}}')
        made = await loading.archive_of(SPEC, f"{host}/me/app:1", secret, tmp_path / "0")
    assert loading.usable(made) == [f"{host}/me/app:1"]
