"""Documents between processes: what `nlp.pipe(n_process=…)` of `kakari.load` sends.

spaCy sends each document by itself, and asks a catalogue of plug-ins for its serialisers several times a document,
which takes longer than parsing does: two processes of it are four times slower than one. Here a whole batch is one
message: one array of all attributes of all tokens, each string once for as long as a worker lives, and the documents'
other parts as they are. Documents arrive as spaCy's own way would bring them. Texts for the pipeline of `kakari.load`
itself are less work still: workers make no documents of them (`kakari.spacy.texts`).
"""

from __future__ import annotations

import gc
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from spacy.errors import Errors
from spacy.lang.en import English
from spacy.lang.ja import Japanese
from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup
from spacy.tokens.underscore import Underscore
from spacy.vocab import Vocab

from kakari.parsers.pools import worker_pool
from kakari.spacy.memory import MOST_ENDED_STRINGS, compact
from kakari.spacy.texts import PackedTexts, TextAnnotator, TextReceiver

DIED = "a worker process of nlp.pipe ended before its work was done: it was killed, or there was no memory left"
AHEAD = 3  # batches a worker, waiting or at work: no worker is idle, and an endless stream is never in memory
LARGEST_MESSAGE = 256  # texts: with larger ones workers wait longer for each other at the end
ORTH, SPACE = 0, 1
STRINGS = ["ORTH", "NORM", "TAG", "DEP", "ENT_TYPE", "ENT_KB_ID", "ENT_ID", "LEMMA", "MORPH"]
# As in spaCy's own serialisation; what a lexeme knows by itself (ORTH) is not set again.
ATTRIBUTES: list[int | str] = [
    "ORTH",
    "SPACY",
    "NORM",
    "TAG",
    "HEAD",
    "DEP",
    "ENT_IOB",
    "ENT_TYPE",
    "ENT_KB_ID",
    "ENT_ID",
    "LEMMA",
]
ATTRIBUTES += ["MORPH", "POS", "SENT_START"]
STRING_COLUMNS = [ATTRIBUTES.index(name) for name in STRINGS]
Pipe = Callable[[Iterable[Doc]], Iterable[Doc]]
# By their keys: name and attributes of a group, then start, end, label, knowledge base's number and id of its spans.
PackedGroups: TypeAlias = dict[str, tuple[str, dict[str, Any], list[tuple[int, int, int, int, int]]]]


@dataclass(frozen=True)
class PackedDocs:
    """A batch of documents on its way.

    Attributes
    ----------
    sizes : list of int
        The tokens of each document.
    columns : list of int
        The attributes, by their places in `ATTRIBUTES`, that are not 0 everywhere.
    values : array of uint64, all tokens x columns
    strings : list of str
        Those that the worker has not sent before.
    parts : list
        Of each document, its user data, context and whether its spaces are unknown.
    rest : dict
        What few documents have, by their places: categories, sentiment, tensor and spans.
    """

    sizes: list[int]
    columns: list[int]
    values: NDArray[np.uint64]
    strings: list[str]
    parts: list[tuple[dict[Any, Any], Any, bool]]
    rest: dict[int, tuple[dict[str, float], float, Any, PackedGroups]]


Packed: TypeAlias = PackedDocs | PackedTexts | str  # a str is a traceback


def pack(documents: list[Doc], sent: set[int]) -> PackedDocs:
    """Pack documents; `sent` are the hashes of the strings that the other side knows, and is added to.

    Examples
    --------
    >>> import spacy
    >>> nlp = spacy.blank("en")
    >>> (doc,) = unpack(pack([nlp("One or two")], set()), spacy.blank("en").vocab, {})
    >>> [token.text for token in doc]
    ['One', 'or', 'two']
    """
    tables = [doc.to_array(ATTRIBUTES) for doc in documents if len(doc)]
    values = np.concatenate(tables) if tables else np.zeros((0, len(ATTRIBUTES)), dtype=np.uint64)
    used = set(np.unique(values[:, STRING_COLUMNS]).tolist()).union(*map(_labels, documents)) - sent - {0}
    sent |= used
    columns = [place for place in range(len(ATTRIBUTES)) if place <= SPACE or values[:, place].any()]
    strings = [documents[0].vocab.strings[number] for number in used] if used else []
    return PackedDocs(
        [len(doc) for doc in documents],
        columns,
        values[:, columns],
        strings,
        [(doc.user_data, doc._context, doc.has_unknown_spaces) for doc in documents],
        {
            place: (doc.cats, doc.sentiment, doc.tensor, packed_groups(doc))
            for place, doc in enumerate(documents)
            if doc.cats or doc.sentiment or doc.tensor.size or doc.spans
        },
    )


def _labels(doc: Doc) -> set[int]:
    """Return the strings of a document's spans; some of their numbers may be no strings."""
    numbers = {number for group in doc.spans.values() for span in group for number in (span.label, span.kb_id, span.id)}
    return {number for number in numbers if number in doc.vocab.strings}


def packed_groups(doc: Doc) -> PackedGroups:
    """Return the groups of a document's spans.

    spaCy's own bytes of them ask the catalogue of plug-ins three times a document, which takes longer than parsing it.
    """
    return {
        key: (
            group.name,
            dict(group.attrs),
            [(span.start, span.end, span.label, span.kb_id, span.id) for span in group],
        )
        for key, group in doc.spans.items()
    }


def set_groups(doc: Doc, groups: PackedGroups) -> None:
    """Give a document the groups of spans that another one had."""
    for key, (name, attributes, spans) in groups.items():
        own = [Span(doc, start, end, label, kb_id=base, span_id=number) for start, end, label, base, number in spans]
        doc.spans[key] = SpanGroup(doc, name=name, attrs=attributes, spans=own)


def unpack(packed: PackedDocs, vocab: Vocab, known: dict[int, str]) -> Iterator[Doc]:
    """Make the documents of a batch; `known` holds the strings that came before, and is added to."""
    for text in packed.strings:
        known[vocab.strings.add(text)] = text
    names: list[int | str] = [ATTRIBUTES[place] for place in packed.columns[2:]]
    words = [known[number] for number in packed.values[:, ORTH].tolist()]
    spaces = packed.values[:, SPACE].astype(bool).tolist()
    rows = np.ascontiguousarray(packed.values[:, 2:])
    begin = 0
    for place, size in enumerate(packed.sizes):
        end = begin + size
        user_data, context, unknown = packed.parts[place]
        doc = Doc(vocab, words=words[begin:end], spaces=spaces[begin:end], user_data=user_data)
        if size and names:
            own: Any = rows[begin:end]
            doc.from_array(names, own)
        doc.has_unknown_spaces = unknown
        doc._context = context
        if place in packed.rest:
            doc.cats, doc.sentiment, doc.tensor, groups = packed.rest[place]
            set_groups(doc, groups)
        begin = end
        yield doc


class PackedProcesses(Language):  # type: ignore[no-untyped-call]
    """A pipeline that sends whole batches to its worker processes, which end with it.

    Its memory zones also bound the table of strings (`kakari.spacy.memory`).
    """

    _ended_strings = 0  # that memory zones took away since the table was written

    @contextmanager
    def memory_zone(self, mem: Any = None) -> Iterator[Any]:
        """Begin a memory zone, as spaCy's does."""
        strings: Any = self.vocab.strings
        with super().memory_zone(mem) as given:
            yield given
            inside = len(strings)
        self._ended_strings += inside - len(strings)
        if self._ended_strings > max(MOST_ENDED_STRINGS, len(strings)):
            compact(strings)
            self._ended_strings = 0

    def _multiprocessing_pipe(
        self, texts: Iterable[str | Doc], pipes: Iterable[Callable[..., Iterator[Doc]]], n_process: int, batch_size: int
    ) -> Iterator[Doc]:
        running: deque[Future[Packed]] = deque()
        received = _Receiver(self)
        try:
            with worker_pool(n_process, prepare=_start, given=(self, list(pipes), Underscore.get_state())) as pool:
                waiting = iter(texts)
                while batch := list(islice(waiting, min(batch_size, LARGEST_MESSAGE))):
                    running.append(pool.submit(_annotate, [_portable(text) for text in batch]))
                    if len(running) >= AHEAD * n_process:
                        yield from received(running.popleft().result())
                while running:
                    yield from received(running.popleft().result())
        except BrokenProcessPool:
            raise RuntimeError(DIED) from None


class JapanesePipeline(PackedProcesses, Japanese):  # type: ignore[no-untyped-call]  # spaCy's __init_subclass__
    """spaCy's Japanese, whose `pipe` is faster, and gains by more than one process.

    It is what `kakari.load` gives. Saved and loaded by `spacy.load`, a pipeline is of spaCy's own class again, with the
    same results.
    """

    def pipe(self, texts: Iterable[Any], *, n_process: int = 1, **options: Any) -> Iterator[Any]:
        """Annotate texts or documents as spaCy's `Language.pipe` does, with the same options and results."""
        annotator = None
        if n_process == 1 and not options.keys() - {"batch_size", "disable"}:
            disabled = options.get("disable", ())
            annotator = text_annotator(self, [part for name, part in self.pipeline if name not in disabled])
        if annotator is None:
            yield from super().pipe(texts, n_process=n_process, **options)
            return
        waiting = iter(texts)
        while batch := list(islice(waiting, options.get("batch_size") or self.batch_size)):
            if _are_plain(batch, self):
                yield from annotator.documents(batch)
            else:
                yield from super().pipe(batch, **options)


class EnglishPipeline(PackedProcesses, English):  # type: ignore[no-untyped-call]  # spaCy's __init_subclass__
    """spaCy's English, with our way to several processes. It is what `kakari.load` gives."""


class _Receiver:
    """Makes documents of what workers send, for one call of `pipe`."""

    def __init__(self, nlp: Language) -> None:
        self.nlp = nlp
        self.known: dict[int, str] = {}
        self.texts = TextReceiver(nlp.vocab)

    def __call__(self, packed: Packed) -> Iterator[Doc]:
        """Return the documents of a batch; what went wrong with it goes to the pipeline's error handler."""
        if isinstance(packed, PackedTexts):
            return self.texts.documents(packed)
        if isinstance(packed, PackedDocs):
            return unpack(packed, self.nlp.vocab, self.known)
        handle: Any = self.nlp.default_error_handler
        handle(None, None, None, ValueError(Errors.E871.format(error=packed)))
        return iter(())


def _portable(text: str | Doc) -> str | PackedDocs:
    """Return a text or a document in a form that another process can read."""
    return pack([text], set()) if isinstance(text, Doc) else text


class _Worker:
    """State of a worker process between batches."""

    def __init__(self, nlp: Language, pipes: list[Pipe]) -> None:
        self.nlp, self.pipes = nlp, pipes
        self.sent: set[int] = set()
        given = [getattr(pipe, "keywords", {}) for pipe in pipes]
        is_usual = all(keywords.get("kwargs", {"other": 0}).keys() <= {"batch_size"} for keywords in given)
        self.annotator = text_annotator(nlp, [keywords["proc"] for keywords in given]) if is_usual else None

    def document(self, text: str | PackedDocs) -> Doc:
        """Make a document of what was sent."""
        make_doc: Callable[[str | Doc, Any], Doc] = self.nlp._ensure_doc_with_context
        if isinstance(text, str):
            return make_doc(text, None)
        (doc,) = unpack(text, self.nlp.vocab, {})
        return make_doc(doc, doc._context)

    def annotate(self, texts: list[Any]) -> PackedDocs | PackedTexts:
        """Send a batch through the components, or do what they would."""
        if self.annotator is not None and _are_plain(texts, self.nlp):
            return self.annotator.pack(texts)
        documents: Iterable[Doc] = map(self.document, texts)
        for pipe in self.pipes:
            documents = pipe(documents)
        return pack(list(documents), self.sent)


def _are_plain(texts: list[Any], nlp: Language) -> bool:
    """Return whether these are texts that the pipeline accepts."""
    return all(isinstance(text, str) and len(text) <= nlp.max_length for text in texts)


def text_annotator(nlp: Language, components: list[Any]) -> TextAnnotator | None:
    """Return what does the work of the pipeline's tokenizer and some components at once, or None."""
    is_usual = getattr(nlp.make_doc, "__func__", None) is Language.make_doc
    return TextAnnotator.of(nlp.tokenizer, components) if is_usual else None


_WORKER: list[_Worker] = []  # of this process, if it is one


def _start(nlp: Language, pipes: list[Pipe], extensions: tuple[Any, Any, Any]) -> None:
    """Prepare a worker process."""
    Underscore.load_state(extensions)
    gc.freeze()  # what a forked process inherits is its parent's: looking through it would copy it
    _WORKER[:] = [_Worker(nlp, pipes)]


def _annotate(texts: list[str | PackedDocs]) -> Packed:
    """Annotate a batch in a worker; what goes wrong is told as text, since not every error can travel."""
    try:
        return _WORKER[0].annotate(texts)
    except Exception:
        return traceback.format_exc()
