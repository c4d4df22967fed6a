"""From articles to judged pairs: outline, candidates, on demand definition sentences, probabilities.

Articles are taken a batch at a time, since the model judges many pairs at once faster than one. Redirects and pages
outside the name space of articles have no candidates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kakari.corpora.formats.pairs import Pair
from kakari.corpora.formats.wikipedia import Article
from kakari.parsers.hyponymy.candidates import candidates
from kakari.parsers.hyponymy.model import HyponymyModel
from kakari.parsers.hyponymy.outline import outline
from kakari.parsers.hyponymy.wikitext import is_redirect, plain_lines

BATCH = 20_000  # pairs


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A candidate and the probability that it is hypernym and hyponym."""

    pair: Pair
    probability: float

    @property
    def where(self) -> str:
        """The article and the kinds of nodes from the hypernym down to the hyponym.

        Examples
        --------
        >>> JudgedPair(Pair("市", "堺", article="日本", path=("title", "heading", "bullet"), distance=1), 0.9).where
        '日本: heading > bullet'
        """
        kinds = self.pair.path[-1 - self.pair.distance :] if self.pair.path else ()
        return f"{self.pair.article}: {' > '.join(kinds)}"


def candidate_pairs(article: Article, *, sentences: bool = False) -> Iterator[Pair]:
    r"""Yield the candidates of an article; with `sentences` those of its definition sentences too, which are parsed.

    Examples
    --------
    >>> article = Article("日本", "== 主な都市 ==\n* [[大阪市|大阪]]")
    >>> [(pair.hypernym, pair.hyponym) for pair in candidate_pairs(article)]
    [('日本', '都市'), ('都市', '大阪'), ('日本', '大阪')]
    """
    if article.space != 0 or article.redirect or is_redirect(article.text):
        return
    title = plain_title(article.title)
    tree = outline(title, article.text)
    yield from candidates(title, tree)
    if sentences:
        from kakari.parsers.hyponymy.definitions import definitions

        yield from definitions(title, tree)


def plain_title(title: str) -> str:
    """Return a title without markup, on one line; a title that is nothing but markup is kept as it is.

    Examples
    --------
    >>> plain_title("''[[日本]]''"), plain_title("東京 (曖昧さ回避)")
    ('日本', '東京 (曖昧さ回避)')
    """
    plain = " ".join(" ".join(plain_lines(title)).replace("\x02", "").replace("\x03", "").split())
    return plain or " ".join(title.split())


def judged_pairs(
    articles: Iterable[Article], model: HyponymyModel, *, sentences: bool = False, minimum: float = 0.5
) -> Iterator[JudgedPair]:
    """Yield the candidates whose probability is at least `minimum`, in the order of the articles."""
    waiting: list[Pair] = []
    for article in articles:
        waiting += candidate_pairs(article, sentences=sentences)
        if len(waiting) >= BATCH:
            yield from _judged(waiting, model, minimum)
            waiting = []
    yield from _judged(waiting, model, minimum)


def _judged(pairs: list[Pair], model: HyponymyModel, minimum: float) -> Iterator[JudgedPair]:
    if not pairs:
        return
    for pair, probability in zip(pairs, model.probabilities(pairs).tolist(), strict=True):
        if probability >= minimum:
            yield JudgedPair(pair, probability)
