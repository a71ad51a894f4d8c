"""Labels of an image, and what they promise."""

from hypershift.release import OURS, Capability, capabilities_of, labels_of_ours, read_labels


def test_our_own_image_promises_what_we_can() -> None:
    labels = labels_of_ours("1.2.3")
    assert capabilities_of(labels) == OURS
    assert labels["org.opencontainers.image.version"] == "1.2.3"


def test_an_image_without_labels_promises_nothing() -> None:
    assert capabilities_of({"maintainer": "somebody"}) == frozenset()


def test_labels_that_an_annotation_gives() -> None:
    text = f" {Capability.RESTRICTED}=true , {Capability.SKIPS_HAPROXY}=,x=y=z"
    found = read_labels(text)
    assert capabilities_of(found) == {Capability.RESTRICTED, Capability.SKIPS_HAPROXY}
    assert found["x"] == "y=z"
    assert read_labels("") == {}


def test_our_own_image_promises_no_program_that_it_lacks() -> None:
    labels = labels_of_ours("1.2.3")
    prefix = "io.openshift.hypershift.control-plane"
    assert labels[f"{prefix}-operator-creates-aws-sg"] == "true"
    assert labels[f"{prefix}-pki-operator-signs-csrs"] == "true"
