import pytest

from hypershift.cli.cluster.azure.resource import resource_type

GROUP = "/subscriptions/s/resourceGroups/g"


@pytest.mark.parametrize(
    ("identifier", "kind"),
    [
        ("/subscriptions/s", "Microsoft.Resources/subscriptions"),
        (GROUP, "Microsoft.Resources/resourceGroups"),
        (
            f"{GROUP}/providers/Microsoft.Network/virtualNetworks/v",
            "Microsoft.Network/virtualNetworks",
        ),
        (
            f"{GROUP}/providers/Microsoft.Network/virtualNetworks/v/subnets/n",
            "Microsoft.Network/virtualNetworks/subnets",
        ),
        ("/subscriptions/s/providers/Microsoft.Network", "Microsoft.Resources/providers"),
        ("/subscriptions/s/things", "Microsoft.Resources/subscriptions/things"),
    ],
)
def test_the_type_of_a_resource_follows_from_its_name(identifier: str, kind: str) -> None:
    assert resource_type(identifier) == kind


@pytest.mark.parametrize(
    "identifier",
    [
        "/",
        "/subscriptions",
        "/things/t",
        "/subscriptions/s/resourceGroups",
        f"{GROUP}/providers",
        f"{GROUP}/providers/Microsoft.Network",
        f"{GROUP}/providers/Microsoft.Network/virtualNetworks",
    ],
)
def test_a_name_that_ends_too_early_is_refused(identifier: str) -> None:
    with pytest.raises(ValueError, match="invalid resource ID") as error:
        resource_type(identifier)
    assert str(error.value) == f"invalid resource ID: {identifier}"


def test_a_name_starts_at_the_root() -> None:
    with pytest.raises(ValueError, match="must start with '/'"):
        resource_type("subscriptions/s")
