"""A release finds its images by the names that components use."""

from hypershift.release import Product, Release, override

OPENSHIFT = Release("4.18.0", Product.OPENSHIFT, {"hyperkube": "quay.io/ocp/h@sha256:1"})
KUBERNETES = Release("1.35.8", Product.KUBERNETES, {"kube-apiserver": "r.io/k/kube-apiserver"})


def test_a_product_may_keep_an_image_under_another_name() -> None:
    assert OPENSHIFT.find("kube-scheduler") == "quay.io/ocp/h@sha256:1"
    assert KUBERNETES.find("kube-apiserver") == "r.io/k/kube-apiserver"
    assert KUBERNETES.find("kube-scheduler") == ""


def test_missing_images_are_named() -> None:
    assert KUBERNETES.missing({"etcd", "kube-apiserver", "coredns"}) == ["coredns", "etcd"]


def test_an_override_replaces_whole_parts_of_a_reference() -> None:
    overrides = {"quay.io/ocp": "mirror/ocp", "quay.io": "other"}
    assert override("quay.io/ocp/h@sha256:1", overrides) == "mirror/ocp/h@sha256:1"
    assert override("quay.io/ocpx/h:1", overrides) == "other/ocpx/h:1"
    assert override("docker.io/h:1", overrides) == "docker.io/h:1"


def test_the_control_planes_view_leaves_the_data_planes_alone() -> None:
    moved = OPENSHIFT.with_registry_overrides({"quay.io": "mirror"})
    assert moved.find("hyperkube") == "mirror/ocp/h@sha256:1"
    assert OPENSHIFT.find("hyperkube") == "quay.io/ocp/h@sha256:1"


def test_settings_may_replace_images() -> None:
    assert KUBERNETES.with_images({"etcd": "e"}).find("etcd") == "e"
