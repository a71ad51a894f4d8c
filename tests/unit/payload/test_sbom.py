"""The bill of materials names what is in the image."""

import hashlib
from pathlib import Path

from hypershift import oci
from hypershift.payload.own import PACKAGES
from hypershift.payload.sbom import bill_of_materials


def test_a_bill_names_packages_the_interpreter_and_each_other_file(tmp_path: Path) -> None:
    layout = oci.Layout(tmp_path)
    tree = oci.Tree().add("bin/busybox", oci.file("program"))
    tree.add(f"{PACKAGES}/aiohttp/x.py", oci.file("of a package"))
    image = oci.assemble([layout.put_layer(tree)], oci.Settings(), "amd64")
    layout.put_image(image)
    reference = oci.parse("quay.io/me/hypershift:1")
    found = bill_of_materials(reference, image.descriptor, layout)
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
    assert found["metadata"]["component"]["version"] == image.descriptor.digest
    named = {each["bom-ref"]: each for each in found["components"]}
    assert any(ref.startswith("pkg:pypi/aiohttp@") for ref in named)
    assert any(ref.startswith("pkg:generic/python@") for ref in named)
    checksum = hashlib.sha256(b"program").hexdigest()
    assert named["file:/bin/busybox"]["hashes"] == [{"alg": "SHA-256", "content": checksum}]
    assert not any("aiohttp/x.py" in ref for ref in named)
    assert found["dependencies"][0]["dependsOn"] == sorted(named)
    assert found == bill_of_materials(reference, image.descriptor, layout)
