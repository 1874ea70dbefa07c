"""Addresses to share, as text and as QR codes."""

from __future__ import annotations

import io
import ipaddress
import socket

import segno
from starlette.datastructures import URL

from tikal.server.config import Config

SCALE, QUIET = 8, 4  # pixels per module, and the width in modules of the white frame that readers need


def everywhere(host: str) -> bool:
    """Whether other devices can reach a server that listens here by any of this machine's addresses.

    >>> everywhere("0.0.0.0"), everywhere("127.0.0.1")
    (True, False)
    """
    return host in ("0.0.0.0", "::", "")  # noqa: S104  # compared, not bound


def is_loopback(host: str | None) -> bool:
    """Whether only this computer can resolve the name.

    >>> is_loopback("localhost"), is_loopback("192.168.1.7")
    (True, False)
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def network_address() -> str | None:
    """This machine's address in the local network; None without one. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: the system only picks a route
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if ipaddress.ip_address(address).is_loopback else address


def base_url(config: Config, asked: URL) -> str:
    """This server's address for other devices, without a trailing slash; `asked` is the address that the caller used.

    >>> base_url(Config("…", public_url="https://tikal.example/"), URL("http://localhost:8088/"))
    'https://tikal.example'
    >>> base_url(Config("…"), URL("http://localhost:8088/"))
    'http://localhost:8088'
    """
    if config.public_url:
        return config.public_url.rstrip("/")
    here = network_address() if everywhere(config.host) and is_loopback(asked.hostname) else None
    return str(asked.replace(hostname=here) if here else asked).rstrip("/")


def serving_at(config: Config) -> list[str]:
    """The addresses to print at the start: for this computer first, then for others.

    >>> serving_at(Config("…"))
    ['http://localhost:8088']
    """
    host = "localhost" if is_loopback(config.host) or everywhere(config.host) else config.host
    local = f"http://{f'[{host}]' if ':' in host else host}:{config.port}"
    if config.public_url:
        return [config.public_url.rstrip("/")]
    others = base_url(config, URL(local))
    return [local] if others == local else [local, others]


def qr_svg(text: str) -> str:
    """A QR code as a standalone SVG picture, dark on white in every theme.

    >>> qr_svg("https://tikal.example")[:4]
    '<svg'
    """
    out = io.BytesIO()
    segno.make(text, micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, scale=SCALE, border=QUIET, dark="#000", light="#fff"
    )
    return out.getvalue().decode()


def qr_terminal(text: str) -> str:
    """A QR code made of block characters."""
    out = io.StringIO()
    segno.make(text, micro=False).terminal(out, border=2, compact=True)
    return out.getvalue()
