"""What comes as packages of the distribution, beside the system and never installed on it."""

from collections.abc import Mapping

from hypershift.parts.part import Package

#: Tools of the distribution, fetched as packages beside the system and never installed on it.
PACKAGES: Mapping[str, Package] = {
    # the dynamic one: a static glibc crashes when it looks a name up
    "busybox": Package("busybox", "bin/busybox"),
    "conntrack": Package("conntrack", "usr/sbin/conntrack"),
    "curl": Package("curl", "usr/bin/curl"),
    "dash": Package("dash", "bin/dash"),
    "ethtool": Package("ethtool", "usr/sbin/ethtool"),
    "findmnt": Package("util-linux", "bin/findmnt"),
    # 2.9 reads and writes TLVs of the PROXY protocol, which the shared ingress lives on
    "haproxy": Package("haproxy", "usr/sbin/haproxy", since=(2, 9)),
    "ip": Package("iproute2", "bin/ip"),
    "ipset": Package("ipset", "sbin/ipset"),
    "losetup": Package("mount", "sbin/losetup"),
    "mount": Package("mount", "bin/mount"),
    "nft": Package("nftables", "usr/sbin/nft"),
    "nsenter": Package("util-linux", "usr/bin/nsenter"),
    "socat": Package("socat", "usr/bin/socat"),
    "tc": Package("iproute2", "sbin/tc"),
    "umount": Package("mount", "bin/umount"),
    "unshare": Package("util-linux", "usr/bin/unshare"),
    "xtables-nft-multi": Package("iptables", "usr/sbin/xtables-nft-multi"),
}

#: Files that tools read, from packages that have no tool: protocol names, authorities.
DATA_PACKAGES = ("ca-certificates", "netbase")

#: What runc's build needs from the distribution: headers and a static library.
SECCOMP = Package("libseccomp-dev", "usr/lib")
