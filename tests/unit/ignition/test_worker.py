"""What every machine of a control plane is configured by."""

from hypershift.ignition.codec import problems
from hypershift.ignition.worker import ssh_keys


def test_each_line_is_a_key() -> None:
    (user,) = ssh_keys("ssh-rsa one\n\nssh-ed25519 two\n").passwd.users
    assert (user.name, user.ssh_authorized_keys) == ("core", ("ssh-rsa one", "ssh-ed25519 two"))


def test_the_configuration_is_whole() -> None:
    assert not list(problems(ssh_keys("ssh-rsa one")))
