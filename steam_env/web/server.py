"""The server: which addresses it answers to, the files of the page, and a socket for each browser."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from steam_env.kit.show import show
from steam_env.replay.page import write_style
from steam_env.web.client import Client
from steam_env.web.house import House
from steam_env.web.messages import MAX_UPLOAD_BYTES, VERSION

FOLDER = Path(__file__).parent / "page"
PAGE, STYLE = "page.html", "page.css"
SCRIPTS = ("main.js", "talk.js", "dom.js", "board.js", "choices.js", "lobby.js", "analysis.js")
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
SOCKET = "/talk"
USUAL_PORT = 80  # of addresses that name none
LOCAL = ("localhost", "127.0.0.1", "[::1]")
OTHER_NAME = "this server does not go by the name in your address: its option --name tells it further ones\n"
TOKEN_BYTES = 16
MOST_CLIENTS = 4000
PING_SECONDS = 20.0
GRACE_SECONDS = 2  # for browsers to leave when the program ends
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True)
class Address:
    """Where the server listens.

    Attributes:
        host: a name or an IP address.
        port: 1 to 65535.
        names: further names under which browsers reach it, with a port where that is another and not the usual one.
        token: what browsers have to know; ``None``: nothing, which is allowed on this machine alone.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    names: tuple[str, ...] = ()
    token: str | None = field(default=None, repr=False)

    @property
    def is_local(self) -> bool:
        """Whether this machine alone can reach it."""
        return is_loopback(self.host)

    @property
    def hosts(self) -> frozenset[str]:
        """What browsers may call it: with its port, or without where they leave that out."""
        own = f"[{self.host}]" if ":" in self.host else self.host
        bare = (*self.names, *((*LOCAL, own) if self.port == USUAL_PORT else ()))  # a proxy has a port of its own
        named = (*bare, *(f"{name}:{self.port}" for name in (*LOCAL, own, *self.names)))
        return frozenset(name.lower() for name in named)

    @property
    def url(self) -> str:
        """What to open in a browser."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host  # what is bound to all has no name
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{self.port}/" + (f"#token={self.token}" if self.token else "")


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def draw_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def bind(address: Address) -> socket.socket:
    """A socket that has the address, and does not listen yet.

    Raises:
        ValueError: naming host and port, if another program has the port, or the host is none of this machine.
    """
    try:
        if not address.host:
            raise OSError("a name or an IP address of this machine is needed")
        family, kind, _, _, place = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, os.name == "posix")  # after a restart, at once
            bound.bind(place)
        except OSError:
            bound.close()
            raise
    except (OSError, UnicodeError) as error:  # a name may be none that can be looked up
        why = getattr(error, "strerror", None) or error
        raise ValueError(f"--host {show(address.host)} --port {address.port}: cannot be bound: {why}") from None
    return bound


# --- who may come in ----------------------------------------------------------------------------------------


class Guard:
    """Refuses requests that call the server by another name, or come from the page of another.

    A page elsewhere could let a browser talk to this server, by its address or by a name that leads here.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed."""
        if scope["type"] not in ("http", "websocket") or self._is_allowed(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await PlainTextResponse(OTHER_NAME, 403)(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    def _is_allowed(self, scope: Scope) -> bool:
        headers = [(name.lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        hosts = [value.lower() for name, value in headers if name == b"host"]
        origins = [value for name, value in headers if name == b"origin"]
        if len(hosts) != 1 or hosts[0] not in self.hosts:
            return False
        if not origins:
            return bool(scope["type"] == "http")  # a browser always tells where the page of a socket comes from
        return len(origins) == 1 and self._is_own(origins[0])

    def _is_own(self, origin: str) -> bool:
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and parts.netloc.lower() in self.hosts


# --- the application ------------------------------------------------------------------------------------------


def make_app(house: House, address: Address) -> ASGIApp:
    """The application of a server.

    Args:
        house: all games.
        address: where it listens, with the token that browsers have to know.

    Raises:
        ValueError: for an address beyond this machine without a token.
    """
    if not address.is_local and not address.token:
        raise ValueError(f"host={address.host!r}: beyond this machine a token is needed")
    clients: set[Client] = set()

    async def talk(socket: WebSocket) -> None:
        if len(clients) >= MOST_CLIENTS:
            await socket.close(1013)
            return
        await socket.accept()
        client = Client(socket, house, address.token)
        clients.add(client)
        try:
            await client.serve()
        finally:
            clients.discard(client)

    @asynccontextmanager
    async def live(app: Starlette) -> AsyncIterator[None]:
        yield
        house.close()

    files = [Route("/", _serve(PAGE)), *(Route(f"/{name}", _serve(name)) for name in (STYLE, *SCRIPTS))]
    app = Starlette(routes=[*files, WebSocketRoute(SOCKET, talk)], lifespan=live)
    return Guard(app, address.hosts)


def _serve(name: str) -> Callable[[Request], Response]:
    """Answers with a file of the page, which is read once."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    if name == STYLE:
        text = write_style() + text
    if name == PAGE:
        text = Template(text).substitute(version=VERSION)

    def answer(request: Request) -> Response:
        return Response(text, media_type=TYPES[Path(name).suffix], headers=HEADERS)

    return answer


def make_server(house: House, address: Address) -> uvicorn.Server:
    """A server that is to be run: ``run`` serves until the program is interrupted.

    Raises:
        ValueError: for an address beyond this machine without a token.
    """
    config = uvicorn.Config(
        make_app(house, address),
        host=address.host,
        port=address.port,
        log_level="warning",
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=MAX_UPLOAD_BYTES,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,  # pictures change by layers; packing them costs more than sending them
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    return uvicorn.Server(config)
