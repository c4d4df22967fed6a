"""CoNLL-U, and the way bunsetsu are written in its MISC column.

`BunsetuBILabel` (B or I) and `BunsetuPositionType` are GiNZA's keys, with its spelling; the head of a
bunsetsu and the type of the arc stand at its first token in keys of ours, `BunsetsuHead` and `BunsetsuType`.
Written back, a file is what was read, except for LF line ends and one blank line after each sentence: comments, ranges
of tokens (`6-7`, a written word that is several), empty nodes (`8.1`) and MISC items keep their text and their order.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from kakari.corpora.records.errors import CorpusError
from kakari.corpora.records.japanese import BasePhrase, Bunsetsu, JapaneseSentence, Morpheme
from kakari.corpora.records.textfiles import Source, blocks_of, numbered_lines, source_name, write_text

TOKEN_ID = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9})|\.([0-9]{1,9}))?")
COLUMNS = 10


@dataclass(frozen=True, slots=True)
class ConlluToken:
    """One line. `id` is `7`, `7-8` (a range) or `7.1` (an empty node); `misc` maps keys to values.

    A MISC item without `=` has the value None.
    """

    id: str
    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    head: str = "_"
    deprel: str = "_"
    deps: str = "_"
    misc: tuple[tuple[str, str | None], ...] = ()

    @property
    def is_word(self) -> bool:
        """True for a word of the sentence, False for a range or an empty node."""
        return self.id.isdigit()

    @property
    def is_range(self) -> bool:
        """True for a written word that is several words of the sentence (`6-7`)."""
        return "-" in self.id

    @property
    def space_after(self) -> bool:
        """True if a blank follows in the text."""
        return ("SpaceAfter", "No") not in self.misc


@dataclass(frozen=True, slots=True)
class ConlluSentence:
    """A sentence: comment lines and tokens."""

    tokens: tuple[ConlluToken, ...]
    comments: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[ConlluToken, ...]:
        """The tokens that are words."""
        return tuple(token for token in self.tokens if token.is_word)

    @property
    def text(self) -> str:
        """The `# text` comment, or an empty string."""
        for comment in self.comments:
            if comment.startswith("# text = "):
                return comment.removeprefix("# text = ")
        return ""


def read_conllu(source: Source) -> Iterator[ConlluSentence]:
    r"""Yield the sentences of a CoNLL-U file.

    Examples
    --------
    >>> import io
    >>> line = "1\tはい\tはい\tINTJ\t_\t_\t0\troot\t_\tBunsetuBILabel=B\n\n"
    >>> [token.misc for s in read_conllu(io.StringIO(line)) for token in s.tokens]
    [(('BunsetuBILabel', 'B'),)]
    """
    yield from conllu_sentences(source_name(source), numbered_lines(source))


def conllu_sentences(name: str, lines: Iterable[tuple[int, str]]) -> Iterator[ConlluSentence]:
    """Yield the sentences of numbered lines; `name` is that of their file."""
    for block in blocks_of(lines):
        comments = [line for _, line in block if line.startswith("#")]
        rows = [(number, line) for number, line in block if not line.startswith("#")]
        if any(line.startswith("#") for _, line in block[len(comments) :]):
            raise CorpusError(name, block[0][0], "the sentence has a comment line after its first token")
        if not rows:
            raise CorpusError(name, block[-1][0], "there are comments, but no sentence follows them")
        tokens = tuple(_parse_token(name, number, line) for number, line in rows)
        _check_numbers(name, rows, tokens)
        yield ConlluSentence(tokens, tuple(comments))


def _parse_token(name: str, number: int, line: str) -> ConlluToken:
    columns = line.split("\t")
    if len(columns) != COLUMNS:
        raise CorpusError(name, number, f"the line has {len(columns)} columns between tabs; CoNLL-U has {COLUMNS}")
    if not all(columns):
        empty = columns.index("") + 1
        raise CorpusError(name, number, f"column {empty} is empty; an unknown value is written '_'")
    misc: list[tuple[str, str | None]] = []
    if columns[9] != "_":
        for item in columns[9].split("|"):
            key, equals, value = item.partition("=")
            if not key:
                raise CorpusError(name, number, f"the MISC item '{item[:40]}' has no key")
            misc.append((key, value if equals else None))
    number_text, form, lemma, upos, xpos, feats, head, deprel, deps, _ = columns
    return ConlluToken(number_text, form, lemma, upos, xpos, feats, head, deprel, deps, tuple(misc))


def _check_numbers(name: str, rows: list[tuple[int, str]], tokens: tuple[ConlluToken, ...]) -> None:
    words = sum(token.is_word for token in tokens)
    count = 0
    for (number, _), token in zip(rows, tokens, strict=True):
        match = TOKEN_ID.fullmatch(token.id)
        if match is None:
            raise CorpusError(name, number, f"'{token.id[:40]}' is no token number")
        first, last, _ = match.groups()
        if token.is_word:
            count += 1
            if int(first) != count:
                raise CorpusError(name, number, f"token {first} stands where token {count} is expected")
            if token.head != "_" and not (token.head.isdecimal() and int(token.head) <= words):
                raise CorpusError(name, number, f"the head '{token.head[:40]}' is no token of this sentence")
        elif last is not None and not count + 1 == int(first) <= int(last) <= words:
            raise CorpusError(name, number, f"the token range {token.id} does not fit the tokens around it")


def format_conllu(sentence: ConlluSentence) -> str:
    """Write a sentence, with the blank line that ends it."""
    lines = list(sentence.comments)
    for token in sentence.tokens:
        misc = "|".join(key if value is None else f"{key}={value}" for key, value in token.misc)
        columns = (token.id, token.form, token.lemma, token.upos, token.xpos, token.feats)
        lines.append("\t".join((*columns, token.head, token.deprel, token.deps, misc or "_")))
    return "\n".join(lines) + "\n\n"


def write_conllu(sentences: Iterable[ConlluSentence], target: str | os.PathLike[str] | IO[str]) -> None:
    """Write sentences to a CoNLL-U file."""
    write_text(map(format_conllu, sentences), target)


def conllu_to_japanese(sentence: ConlluSentence, *, heads_needed: bool = True) -> JapaneseSentence:
    """Read the bunsetsu from the MISC column; with `heads_needed=False`, missing heads are derived from the tree.

    Raises
    ------
    ValueError
        If a token has no bunsetsu label, or a bunsetsu has no head.
    """
    groups: list[tuple[dict[str, str | None], list[Morpheme]]] = []
    for token in sentence.words:
        keys = dict(token.misc)
        label = keys.get("BunsetuBILabel")
        if label == "B":
            groups.append((keys, []))
        elif label != "I" or not groups:
            raise ValueError(f"token {token.id} '{token.form}' has no BunsetuBILabel that fits")
        pos = () if token.xpos == "_" else tuple(token.xpos.split("-"))
        inflection = (keys.get("Inflection") or "").partition(";")
        groups[-1][1].append(
            Morpheme(
                token.form,
                keys.get("Reading") or "",
                "" if token.lemma == "_" else token.lemma,
                pos,
                inflection[0],
                inflection[2],
            )
        )
    bunsetsu = []
    implied = [] if heads_needed else _implied_heads(sentence, [len(morphemes) for _, morphemes in groups])
    for number, (keys, morphemes) in enumerate(groups):
        head = keys.get("BunsetsuHead")
        if head is None and not heads_needed:
            head = str(implied[number])
        if head is None or re.fullmatch(r"-1|[0-9]{1,9}", head) is None:
            raise ValueError(f"the bunsetsu that starts with '{morphemes[0].surface}' has no BunsetsuHead")
        kind = keys.get("BunsetsuType") or "D"
        bunsetsu.append(Bunsetsu(int(head), kind, (BasePhrase(int(head), kind, tuple(morphemes)),)))
    return JapaneseSentence(tuple(bunsetsu), sentence.comments, "conllu")


def _implied_heads(sentence: ConlluSentence, sizes: Sequence[int]) -> list[int]:
    """Return the head of each bunsetsu: the bunsetsu of the head of its first word whose head is outside.

    If that is to the left or missing, the head is the next bunsetsu; the last one is the root.
    """
    owner = [number for number, size in enumerate(sizes) for _ in range(size)]
    heads = [-1] * len(sizes)
    for place, word in enumerate(sentence.words):
        own, head = owner[place], int(word.head) - 1 if word.head.isdecimal() else -1
        if head >= 0 and owner[head] > own and heads[own] < 0:
            heads[own] = owner[head]
    last = len(sizes) - 1
    return [-1 if number == last else head if head > 0 else number + 1 for number, head in enumerate(heads)]


def japanese_to_conllu(sentence: JapaneseSentence) -> ConlluSentence:
    """Write the bunsetsu into the MISC column, and token heads that follow from them.

    Within a bunsetsu the head of every token is its content word; content words have the heads of their bunsetsu.

    Examples
    --------
    >>> book, particle = Morpheme("本", "ほん", "本", ("名詞",)), Morpheme("を", "を", "を", ("助詞",))
    >>> read = Morpheme("読む", "よむ", "読む", ("動詞",))
    >>> phrases = [BasePhrase(1, "D", (book, particle)), BasePhrase(-1, "D", (read,))]
    >>> sentence = JapaneseSentence(tuple(Bunsetsu(p.head, p.kind, (p,)) for p in phrases))
    >>> [(t.form, t.head, t.deprel) for t in japanese_to_conllu(sentence).tokens]
    [('本', '3', 'dep'), ('を', '1', 'dep'), ('読む', '0', 'root')]
    """
    starts: list[int] = []
    count = 0
    for bunsetsu in sentence.bunsetsu:
        starts.append(count)
        count += len(bunsetsu.morphemes)
    content = [start + b.content_index() for start, b in zip(starts, sentence.bunsetsu, strict=True)]
    tokens: list[ConlluToken] = []
    for index, bunsetsu in enumerate(sentence.bunsetsu):
        head_of_content = content[bunsetsu.head] + 1 if bunsetsu.head >= 0 else 0
        for offset, morpheme in enumerate(bunsetsu.morphemes):
            place = starts[index] + offset
            head = head_of_content if place == content[index] else content[index] + 1
            misc = _bunsetsu_keys(bunsetsu, offset)
            if morpheme.reading:
                misc["Reading"] = morpheme.reading
            if morpheme.conj_type or morpheme.conj_form:
                misc["Inflection"] = f"{morpheme.conj_type};{morpheme.conj_form}"
            tokens.append(
                ConlluToken(
                    str(place + 1),
                    morpheme.surface,
                    morpheme.base or "_",
                    xpos="-".join(morpheme.pos) or "_",
                    head=str(head),
                    deprel="root" if head == 0 else "dep",
                    misc=tuple(sorted(misc.items())),
                )
            )
    return ConlluSentence(tuple(tokens), sentence.comments or (f"# text = {sentence.text}",))


def _bunsetsu_keys(bunsetsu: Bunsetsu, offset: int) -> dict[str, str | None]:
    content, function = bunsetsu.content_index(), bunsetsu.function_index()
    if offset == content:
        position = "ROOT" if bunsetsu.head < 0 else "SEM_HEAD"
    elif offset == function and function > content:
        position = "SYN_HEAD"
    else:
        position = "CONT" if offset < content else "FUNC"
    keys: dict[str, str | None] = {"BunsetuBILabel": "I" if offset else "B", "BunsetuPositionType": position}
    if offset == 0:
        keys |= {"BunsetsuHead": str(bunsetsu.head), "BunsetsuType": bunsetsu.kind}
    return keys
