"""What a proxy machine does when it starts: install a proxy, let one SSH key in."""

MITMPROXY = "7.0.2"
_SQUID = """\
yum install -y squid
sed -i -E 's/(^http_access deny CONNECT.*)/#\\1/' /etc/squid/squid.conf
systemctl enable --now squid
"""
#: TLS is passed through, but the proxy itself speaks TLS with a certificate of its own authority.
_MITMPROXY = f"""\
curl -sSfL https://snapshots.mitmproxy.org/{MITMPROXY}/mitmproxy-{MITMPROXY}-linux.tar.gz \\
  | tar xz -C /usr/bin
cat > /etc/systemd/system/mitmproxy.service <<'UNIT'
[Unit]
Description=Proxy of a hosted cluster's nodes
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=/usr/bin/mitmdump --showhost --ssl-insecure -p 3128 --ignore-hosts '.*'
Restart=always
RestartSec=1

[Install]
WantedBy=multi-user.target
UNIT
systemctl daemon-reload
systemctl enable --now mitmproxy
"""
_KEY = """\
install -d -m 0700 -o ec2-user -g ec2-user /home/ec2-user/.ssh
cat > /home/ec2-user/.ssh/authorized_keys <<'KEY'
{key}
KEY
chmod 0600 /home/ec2-user/.ssh/authorized_keys
chown ec2-user:ec2-user /home/ec2-user/.ssh/authorized_keys
"""


def script(public_key: str, *, secure: bool) -> str:
    """The user data of a proxy machine."""
    return (
        "#!/bin/bash\n" + (_MITMPROXY if secure else _SQUID) + _KEY.format(key=public_key.strip())
    )
