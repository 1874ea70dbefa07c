"""The administrator's endpoints, and the figures for Prometheus."""

from __future__ import annotations

import logging
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse
from pydantic import Field

from tikal.play.view import Json
from tikal.server.errors import Refused
from tikal.server.http import responses
from tikal.server.http.api import REFUSALS, AtHub, SeatInPath, TableId, make_seat_link
from tikal.server.http.callers import token_of
from tikal.server.http.invite import is_loopback
from tikal.server.http.requests import Schema, example
from tikal.server.http.responses import Millis
from tikal.server.live import metrics
from tikal.server.live.seats import check_level
from tikal.server.operation.admin import Admin

log = logging.getLogger("tikal.server")
router = APIRouter(prefix="/api", responses=REFUSALS)
FIGURES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"example": "# HELP tikal_rooms tables in memory\n# TYPE tikal_rooms gauge\n…"}}}
}
Level = Annotated[str, Field(max_length=40)]
PersonId = Annotated[str, Path(max_length=40, examples=["5f0c8a"])]


class SettingsBody(Schema):
    """The settings; null: as the server was started."""

    model_config = example(registration=True, bot_workers=None, bot_ms=500, levels=["tourist", "digger"])
    registration: bool
    bot_workers: int | None
    bot_ms: int | None
    levels: Annotated[list[str], Field(description="levels of bots allowed at new tables")]


class Figures(Schema):
    """Counts, of this process and in all, and the settings."""

    model_config = example(
        people=12,
        events=5310,
        lines=40,
        tables={"open": 2, "playing": 3, "over": 17, "frozen": 0, "closed": 1},
        sockets=5,
        rooms=3,
        settings={"registration": True, "bot_workers": None, "bot_ms": None, "levels": ["tourist"]},
    )
    people: int
    events: int
    lines: int
    tables: dict[str, int]
    sockets: Annotated[int, Field(description="of this process")]
    rooms: Annotated[int, Field(description="tables in memory of this process")]
    settings: SettingsBody


class PersonRow(Schema):
    """A person, for the administrator."""

    id: str
    name: str
    login: str | None
    created: Millis
    tables: int


class People(Schema):
    """People, the newest first."""

    model_config = example(
        people=[{"id": "5f0c8a", "name": "Ann", "login": None, "created": 1790000000000, "tables": 2}]
    )
    people: list[PersonRow]


class TableRow(Schema):
    """A table, for the administrator."""

    id: str
    owner: str
    state: Literal["open", "playing", "over", "frozen", "closed"]
    public: bool
    created: Millis
    changed: Millis


class Tables(Schema):
    """Tables, the last changed first."""

    model_config = example(
        tables=[
            {
                "id": "dGhlIGp1bmdsZSBpcyBk",
                "owner": "5f0c8a",
                "state": "playing",
                "public": True,
                "created": 1790000000000,
                "changed": 1790000000000,
            }
        ]
    )
    tables: list[TableRow]


class SetSettings(Schema):
    """New settings; omitted ones stay, null restores the value that the server was started with."""

    model_config = example(registration=False, bot_ms=500)
    registration: bool | None = None
    bot_workers: Annotated[int, Field(ge=1, le=64, strict=True)] | None = None
    bot_ms: Annotated[int, Field(ge=1, le=3_600_000, strict=True)] | None = None
    levels: Annotated[list[Level], Field(max_length=20)] | None = None


async def administrator(request: Request) -> Admin:
    """Admits callers that send the administrator's token in the header."""
    admin: Admin = request.app.state.admin
    await admin.check(token_of(request.headers, {}))
    return admin


Administrator = Annotated[Admin, Depends(administrator)]


@router.get("/admin", response_model=Figures)
async def figures(request: Request, hub: AtHub, admin: Administrator) -> Json:
    """Counts and settings."""
    counted = await admin.figures()
    sockets = request.app.state.sockets.total()
    return {**counted, "sockets": sockets, "rooms": len(hub.rooms), "settings": (await hub.settings.get()).as_json()}


@router.patch("/admin/settings", response_model=SettingsBody)
async def change(hub: AtHub, _: Administrator, body: SetSettings) -> Json:
    """Closes or opens registration; limits bots: processes, time for a decision, levels at new tables."""
    wanted = body.model_dump(exclude_unset=True)
    for name in ("registration", "levels"):
        if name in wanted and wanted[name] is None:
            raise Refused("malformed", f"{name}: must not be null; leave it out to keep it")
    if "levels" in wanted:
        wanted["levels"] = tuple(dict.fromkeys(wanted["levels"]))
        for level in wanted["levels"]:
            check_level(level)
    made = await hub.settings.set(**wanted)
    log.info("settings were changed", extra={"facts": made.as_json()})
    return made.as_json()


@router.get("/admin/people", response_model=People)
async def list_people(admin: Administrator, name: Annotated[str, Query(max_length=80)] = "") -> Json:
    """People whose name contains a text."""
    return {"people": await admin.list_people(name)}


@router.delete("/admin/people/{person}", status_code=204)
async def remove_person(admin: Administrator, person: PersonId) -> None:
    """Removes a person: name, tokens and chat. Bots take over the seats; tables that have not started are closed."""
    await admin.remove_person(person)
    log.info("a person was removed")


@router.get("/admin/tables", response_model=Tables)
async def list_tables(
    admin: Administrator, state: Literal["open", "playing", "over", "frozen", "closed"] | None = None
) -> Json:
    """Tables of any state."""
    return {"tables": await admin.list_tables(state)}


@router.post("/admin/tables/{table}/seats/{seat}/link", response_model=responses.Link, status_code=201)
async def seat_link(request: Request, hub: AtHub, _: Administrator, table: TableId, seat: SeatInPath) -> Json:
    """Creates a link to the seat of a guest who has lost their session, as all guests have after an import."""
    return await make_seat_link(request, hub, table, seat, None)


@router.delete("/admin/tables/{table}", status_code=204)
async def remove_table(admin: Administrator, table: TableId) -> None:
    """Removes a table with its log and chat, whatever its state."""
    await admin.remove_table(table)
    log.info("a table was removed")


@router.get("/metrics", response_class=PlainTextResponse, responses=FIGURES)
async def prometheus(request: Request, hub: AtHub) -> Response:
    """Metrics of this process: for the administrator's token, and for callers on this computer by its local name."""
    here = is_loopback(request.client.host if request.client else None) and is_loopback(request.url.hostname)
    if not here:
        await administrator(request)
    return Response(hub.metrics.text(), media_type=metrics.TYPE)
