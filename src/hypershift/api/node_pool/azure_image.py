"""Image and disk of virtual machines on Azure."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.rules import AZURE_SUBSCRIPTION_ID
from hypershift.api.shape import Field, Int32, Rule, Shape, constrained


@constrained(
    Rule(
        "has(self.type) && self.type == 'ImageID' ?  has(self.imageID) : !has(self.imageID)",
        "imageID is required when type is ImageID, and forbidden otherwise",
    ),
    Rule(
        "has(self.type) && self.type == 'AzureMarketplace' ?  true : !has(self.azureMarketplace)",
        "azureMarketplace is forbidden when type is not AzureMarketplace",
    ),
)
class AzureImage(Shape):
    """The image that machines on Azure boot."""

    type: Annotated[str, Field("Where the image is.", enum=("ImageID", "AzureMarketplace"))]
    azure_marketplace: Annotated[
        AzureMarketplaceImage | None,
        Field("Image in the marketplace; only with `type: AzureMarketplace`."),
    ] = None
    image_id: Annotated[
        str | None,
        Field("Resource id of an image of yours; only with `type: ImageID`.", max_length=255),
    ] = None


@constrained(
    Rule(
        (
            "has(self.imageGeneration) || has(self.publisher) && has(self.offer) &&"
            " has(self.sku) && has(self.version)"
        ),
        "must specify imageGeneration or must specify publisher, offer, sku and version",
    ),
    Rule(
        (
            "[has(self.publisher), has(self.offer), has(self.sku),"
            " has(self.version)].filter(x, x == true).size() == 0 ||"
            " [has(self.publisher), has(self.offer), has(self.sku),"
            " has(self.version)].filter(x, x == true).size() == 4"
        ),
        "publisher, offer, sku and version must either be all set, or all omitted",
    ),
    min_properties=1,
)
class AzureMarketplaceImage(Shape):
    """An image in the Azure marketplace. Unset parts come from the release."""

    image_generation: Annotated[
        str,
        Field(
            "Generation of the machine that it is for: `Gen1` or `Gen2`. Default Gen2.",
            enum=("Gen1", "Gen2"),
        ),
    ] = "Gen2"
    offer: Annotated[str | None, Field("Offer of the publisher.", min_length=1, max_length=255)] = (
        None
    )
    publisher: Annotated[
        str | None,
        Field(
            "Publisher of the image.",
            pattern="^[a-z0-9][a-z0-9-_]{2,49}$",
            min_length=3,
            max_length=50,
        ),
    ] = None
    sku: Annotated[
        str | None,
        Field("Plan of the offer.", pattern="^[a-z0-9-_]+$", min_length=1, max_length=255),
    ] = None
    version: Annotated[
        str | None,
        Field(
            "Version, x.y.z.",
            pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$|^latest$",
            min_length=1,
            max_length=32,
        ),
    ] = None


class AzureOSDisk(Shape):
    """The operating system disk of machines on Azure."""

    disk_storage_account_type: Annotated[
        str | None,
        Field(
            "Type of storage. Default Premium_LRS.",
            enum=("Premium_LRS", "PremiumV2_LRS", "Standard_LRS", "StandardSSD_LRS"),
        ),
    ] = None
    encryption_set_id: Annotated[
        str | None,
        Field(
            (
                "Resource id of a disk encryption set to encrypt with. Default: a key that Azure"
                " manages."
            ),
            min_length=1,
            max_length=285,
            rules=(
                Rule(
                    (
                        "size(self.split('/')) == 9 && self.matches('^/subscriptions/.*/"
                        "resourceGroups/.*/providers/Microsoft.Compute/diskEncryptionSets/.*$')"
                    ),
                    (
                        "encryptionSetID must be in the format `/subscriptions/"
                        "{subscriptionId}/resourceGroups/{resourceGroupName}/providers/"
                        "Microsoft.Compute/diskEncryptionSets/{resourceName}`"
                    ),
                ),
                AZURE_SUBSCRIPTION_ID,
                Rule(
                    r"self.split('/')[4].matches('[a-zA-Z0-9-_\\(\\)\\.]{1,90}')",
                    (
                        "The resourceGroupName should be between 1 and 90 characters,"
                        " consisting only of alphanumeric characters, hyphens, underscores,"
                        " periods and parenthesis"
                    ),
                ),
                Rule(
                    "!self.split('/')[4].endsWith('.')",
                    (
                        "the resourceGroupName in the encryptionSetID must not end with a"
                        " period (.) character"
                    ),
                ),
                Rule(
                    "self.split('/')[8].matches('[a-zA-Z0-9-_]{1,80}')",
                    (
                        "The resourceName should be between 1 and 80 characters, consisting"
                        " only of alphanumeric characters, hyphens and underscores"
                    ),
                ),
            ),
        ),
    ] = None
    persistence: Annotated[
        str | None,
        Field(
            (
                "`Persistent` disks survive a move of the machine, `Ephemeral` ones live on the"
                " host and are faster. Default Persistent."
            ),
            enum=("Persistent", "Ephemeral"),
        ),
    ] = None
    size_gib: Annotated[
        Int32 | None, Field("Size in GiB, 16 to 32767. Default 30.", minimum=16, maximum=32767)
    ] = None
