"""The application: the page and its API."""

from __future__ import annotations

import asyncio
import functools
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

from kakari.web import exports, reasons
from kakari.web.analysis import analysed, language_of
from kakari.web.correcting import Desk, correctable
from kakari.web.counters import Counters
from kakari.web.guard import Guard
from kakari.web.limits import Deadline, RefusedError, collect_warnings
from kakari.web.pages import Pages
from kakari.web.requests import (
    CorrectRequest,
    ExplainAnswer,
    ExplainRequest,
    ExportRequest,
    ParseAnswer,
    ParseRequest,
    Refusal,
    UndoRequest,
)
from kakari.web.settings import Settings
from kakari.web.store import Store

Result = TypeVar("Result")
DESCRIPTION = """The structure of Japanese and English text, as `kakari parse`, `explain` and `ask` tell it.

Every request is JSON (`Content-Type: application/json`); whatever is refused is answered with `{"error": "why"}`.
Positions are characters of the text. A server that other machines can reach asks for `Authorization: Bearer TOKEN`."""
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": what}
    for status, what in ((413, "Too large"), (422, "Not understood"), (503, "Too busy, or too slow"))
}


class Work:
    """Runs work in a few threads; what would wait behind too many others is refused."""

    def __init__(self, settings: Settings) -> None:
        self.threads = asyncio.Semaphore(settings.threads)
        self.most, self.waiting = settings.waiting, 0

    async def run(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Run a function in a thread."""
        if self.waiting >= self.most:
            raise RefusedError(503, "too many requests are waiting: try again")
        self.waiting += 1
        try:
            async with self.threads:
                return await asyncio.get_running_loop().run_in_executor(None, functools.partial(function, *arguments))
        finally:
            self.waiting -= 1


def make_app(settings: Settings | None = None) -> FastAPI:
    """Make the application; worker processes find their settings in the environment."""
    settings = settings or Settings.from_environment()
    store, counters, pages = Store(settings.models), Counters(settings.counters), Pages(settings)
    collect_warnings()

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        app.state.work = Work(settings)
        # The models that most requests need are loaded while the first one is on its way.
        threading.Thread(target=_warm_up, args=(store,), daemon=True).start()
        yield

    app = FastAPI(
        title="kakari",
        version=_version(),
        description=DESCRIPTION,
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.add_middleware(Guard, settings=settings, counters=counters)
    _add_refusals(app, counters)
    _add_api(app, settings, store, counters)
    _add_corrections(app, settings, store, counters)
    pages.add_to(app)
    return app


def _version() -> str:
    from kakari import __version__

    return __version__


def _warm_up(store: Store) -> None:
    for text in ("本を読む。", "Who read it?"):
        list(
            analysed(
                store,
                [text],
                include=("universal", "dependencies", "chunks", "question"),
                alternatives=1,
                deadline=Deadline(60),
            )
        )


def _add_refusals(app: FastAPI, counters: Counters) -> None:
    def refused(status: int, reason: str) -> Response:
        counters.add("refused")
        return JSONResponse({"error": reason}, status)

    @app.exception_handler(RefusedError)
    async def own(request: Request, error: RefusedError) -> Response:
        return refused(error.status, str(error))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:]) or "body"
        return refused(422, f"{place}: {first['msg']}"[:300])

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        return refused(error.status_code, str(error.detail))


def _add_api(app: FastAPI, settings: Settings, store: Store, counters: Counters) -> None:
    def texts_of(asked: ParseRequest) -> list[str]:
        if (asked.text is None) == (asked.texts is None):
            raise RefusedError(422, "a request has either `text` or `texts`")
        texts = asked.all_texts()
        if len(texts) > settings.most_texts:
            raise RefusedError(413, f"a request has at most {settings.most_texts:,} texts")
        check_size(sum(map(len, texts)))
        if asked.alternatives > settings.most_alternatives:
            raise RefusedError(422, f"at most {settings.most_alternatives} alternatives are searched for")
        return texts

    def check_size(characters: int) -> None:
        if characters > settings.most_characters:
            raise RefusedError(413, f"a request has at most {settings.most_characters:,} characters of text")

    def found(asked: ParseRequest, texts: list[str]) -> Iterator[dict[str, Any]]:
        deadline = Deadline(settings.seconds)
        options: dict[str, Any] = {
            "language": asked.language,
            "include": asked.include,
            "alternatives": asked.alternatives,
        }
        for one in analysed(store, texts, deadline=deadline, **options):
            counters.add("texts")
            counters.add("sentences", len(one["sentences"]))
            yield one
        counters.add("characters", sum(map(len, texts)))

    def answer(asked: ParseRequest, texts: list[str]) -> bytes:
        return json.dumps({"results": list(found(asked, texts))}, ensure_ascii=False).encode("utf-8", "replace")

    @app.post("/api/parse", response_model=ParseAnswer, responses=REFUSALS, tags=["analysis"])
    async def parse(asked: ParseRequest, request: Request) -> Response:
        """Find the structure of a text, or of each of several texts."""
        body = await request.app.state.work.run(answer, asked, texts_of(asked))
        return Response(body, media_type="application/json")

    @app.post("/api/stream", responses=REFUSALS, tags=["analysis"])
    async def stream(asked: ParseRequest, request: Request) -> Response:
        """Answer as `/api/parse`, a line of JSON (NDJSON) for each text, as soon as it is there."""
        lines = found(asked, texts_of(asked))
        work = request.app.state.work

        async def written() -> AsyncIterator[bytes]:
            try:
                while (one := await work.run(next, lines, None)) is not None:
                    yield (json.dumps(one, ensure_ascii=False) + "\n").encode("utf-8", "replace")
            except RefusedError as error:
                yield (json.dumps({"error": str(error)}) + "\n").encode()

        return StreamingResponse(written(), media_type="application/x-ndjson")

    @app.post("/api/explain", response_model=ExplainAnswer, responses=REFUSALS, tags=["analysis"])
    async def explain(asked: ExplainRequest, request: Request) -> Response:
        """Tell what decided: conjunctions or fragments with weights that add up to the score."""
        check_size(len(asked.text))
        given = (store, asked.text, asked.what, asked.first, asked.second, asked.top, asked.label)
        told = await request.app.state.work.run(reasons.explained, *given)
        return JSONResponse({"explanations": told})

    @app.post("/api/export", response_class=PlainTextResponse, responses=REFUSALS, tags=["analysis"])
    async def export(asked: ExportRequest, request: Request) -> Response:
        """Write a text in a format of `kakari parse -f`."""
        check_size(len(asked.text))
        language = asked.language or language_of(asked.text)
        given = (store, asked.text, language, asked.format)
        written = await request.app.state.work.run(exports.exported, *given)
        return Response(written.encode("utf-8", "replace"), media_type=exports.media_type(asked.format))

    @app.get("/api/health", tags=["server"])
    async def health() -> dict[str, str]:
        """Tell that the server lives."""
        return {"status": "ok", "version": _version()}

    @app.get("/api/metrics", response_class=PlainTextResponse, tags=["server"])
    async def metrics() -> str:
        """Return counts and times of all workers, in the format of Prometheus."""
        return counters.text()

    @app.get("/api/about", tags=["server"])
    async def about() -> dict[str, Any]:
        """Tell limits, formats and what the server offers."""
        return {
            "version": _version(),
            "limits": {
                "bytes": settings.most_bytes,
                "characters": settings.most_characters,
                "texts": settings.most_texts,
                "alternatives": settings.most_alternatives,
                "seconds": settings.seconds,
            },
            "formats": {"ja": exports.JAPANESE, "en": exports.ENGLISH},
            "docs": settings.docs is not None,
            "correctable": correctable() if settings.corrections is not None else {"ja": [], "en": []},
        }


def _add_corrections(app: FastAPI, settings: Settings, store: Store, counters: Counters) -> None:
    """Add what the page's edit mode asks for, if the server may write."""
    if settings.corrections is None:
        return
    desk = Desk(store, settings.corrections)

    @app.post("/api/corrections/try", responses=REFUSALS, tags=["corrections"])
    async def attempt(asked: CorrectRequest, request: Request) -> dict[str, Any]:
        """Learn corrections and tell what they change and what they break; nothing is written."""
        report: dict[str, Any] = await request.app.state.work.run(desk.tried, asked.language, asked.corrections)
        return report

    @app.post("/api/corrections/keep", responses=REFUSALS, tags=["corrections"])
    async def keep(asked: CorrectRequest, request: Request) -> dict[str, Any]:
        """Learn corrections, write them into the user's file and use the corrected model from now on."""
        report: dict[str, Any] = await request.app.state.work.run(desk.keep, asked.language, asked.corrections)
        counters.add("corrections", len(asked.corrections))
        return report

    @app.post("/api/corrections/undo", responses=REFUSALS, tags=["corrections"])
    async def undo(asked: UndoRequest, request: Request) -> dict[str, Any]:
        """Take the last correction back: out of its file and out of the model."""
        report: dict[str, Any] = await request.app.state.work.run(desk.undo, asked.task)
        return report

    @app.get("/api/corrections", tags=["corrections"])
    async def corrections(request: Request) -> dict[str, Any]:
        """List the corrections that were kept."""
        return {"corrections": await request.app.state.work.run(desk.history)}
