"""The reference: the crawl interface of version 2 as a service on FastAPI and pydantic 2.

Reads one request a line from stdin, as JSON with `method`, `path`, `content_type` (or null) and `body` (base64, or null), and writes one
answer a line to stdout, as JSON with `status` and `detail`. Calls the service in this process, without a port.

The models are those of the specification. Bounds and patterns that the readings add (15, 16 and 28) are written in pydantic's terms, so that
their errors are compared too.
"""

import asyncio
import base64
import enum
import json
import sys
from typing import Annotated
from urllib.parse import unquote

from fastapi import Body, FastAPI, HTTPException
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import BaseModel, Field, field_validator

TABLES = json.loads(sys.argv[1])
GOOGLE_DOMAINS = frozenset(TABLES["domains"])
GOOGLE_LANGUAGES = frozenset(TABLES["languages"])
COUNTRIES = frozenset(TABLES["countries"])
# The requests name no other host.
HOSTS = frozenset(["", "example.com"])


class Device(str, enum.Enum):
    mobile = "mobile"
    desktop = "desktop"


# A string with half a surrogate pair cannot be stored. pydantic refuses it only in a string with a constraint; in any other string it
# accepts it, and FastAPI fails when it encodes the answer.
Text = Annotated[str, Field(min_length=0)]


class Competitor(BaseModel):
    keyword_id: int | None
    competitor: Text
    type: Text


class CrawlRequest(BaseModel):
    keyword: str = Field(min_length=1, max_length=2048)
    location_name: Text
    iso_code: str = Field(pattern=r"^[A-Za-z]{2}$")
    domain: Text | None = None
    business_name: Text | None = None
    competitors: Annotated[list[Competitor], Field(max_length=1000)] | None = None
    frequency: int | None = 24
    device: Device = Device.desktop
    se_id: int = 0
    engine_domain: Text = ""
    language_code: Text = ""
    postback_url: Text | None = None
    post_id: Text | None = ""
    keyword_id: int | None = None
    priority: int | None = 1

    @field_validator("iso_code")
    @classmethod
    def is_country(cls, code: str) -> str:
        if code.upper() in COUNTRIES or code.upper() == "UK":
            return code
        raise ValueError("not the code of a country")

    @field_validator("domain")
    @classmethod
    def is_host(cls, domain: str | None) -> str | None:
        if domain is None or domain in HOSTS:
            return domain
        raise ValueError("not a host name under a public suffix")


class GoogleCrawlRequest(CrawlRequest):
    engine_domain: Text = "google.com"
    depth: int = Field(10, ge=1, le=100)

    @field_validator("engine_domain")
    @classmethod
    def is_google(cls, domain: str) -> str:
        if domain == "" or domain.lower().removeprefix("www.") in GOOGLE_DOMAINS:
            return domain
        raise ValueError("not a domain of Google")

    @field_validator("language_code")
    @classmethod
    def is_language(cls, code: str) -> str:
        if code == "" or code in GOOGLE_LANGUAGES:
            return code
        raise ValueError("not a language of Google")


app = FastAPI(redirect_slashes=False)

def answer(status: int, detail: object) -> Response:
    """Unlike FastAPI's own answer, this one can contain half a surrogate pair."""
    return Response(json.dumps({"detail": detail}), status, media_type="application/json")


@app.exception_handler(RequestValidationError)
def invalid(_request: object, error: RequestValidationError) -> Response:
    return answer(422, [{"loc": e["loc"], "type": e["type"], "msg": e["msg"]} for e in error.errors()])


@app.post("/api/v2/serp/crawl")
def create(body: GoogleCrawlRequest) -> Response:
    return answer(200, body.model_dump())


@app.post("/api/v2/serp/crawl/google/batch")
def create_batch(body: Annotated[list[GoogleCrawlRequest], Body(max_length=1000)]) -> Response:
    if not body:
        raise HTTPException(400, "The batch is empty")
    return answer(200, [request.model_dump() for request in body])


@app.get("/api/v2/serp/crawl/{task_id}")
def read(task_id: int) -> Response:
    raise HTTPException(404, "Task not found")


async def call(request: dict) -> dict:
    body = base64.b64decode(request["body"] or "")
    headers = [] if request["content_type"] is None else [(b"content-type", request["content_type"].encode("latin1"))]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request["method"],
        "scheme": "https",
        "path": unquote(request["path"]),
        "raw_path": request["path"].encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "server": ("api.example.com", 443),
        "client": ("127.0.0.1", 1),
    }
    status = 0
    text = b""

    async def receive() -> dict:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict) -> None:
        nonlocal status, text
        if message["type"] == "http.response.start":
            status = message["status"]
        else:
            text += message.get("body", b"")

    try:
        await app(scope, receive, send)
    except Exception as error:  # FastAPI sends a 500 and raises the error again.
        return {"status": 500, "detail": repr(error)}
    return {"status": status, "detail": json.loads(text)["detail"]}


async def main() -> None:
    for line in sys.stdin:
        print(json.dumps(await call(json.loads(line))), flush=True)


asyncio.run(main())
