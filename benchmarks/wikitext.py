"""How fast wikitext becomes lines, trees and candidate pairs, beside mwparserfromhell on the same articles.

    python -m benchmarks.wikitext [ARTICLES]

The peer strips markup only (`strip_code`), and is given every tenth article. The last column tells how many of the
words (runs of letters) of its plain text ours has too, and the other way round. It keeps what references say and drops
what templates print, ours does the opposite, and a run of letters that differs in one link differs as a whole.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from kakari.corpora import read
from kakari.corpora.formats.wikipedia import Article
from kakari.parsers.hyponymy.candidates import candidates
from kakari.parsers.hyponymy.extraction import judged_pairs
from kakari.parsers.hyponymy.model import pretrained_hyponymy
from kakari.parsers.hyponymy.outline import outline
from kakari.parsers.hyponymy.wikitext import plain_lines

WORD = re.compile(r"[^\W\d_]+")


def megabytes_a_second(work: Callable[[Article], Any], articles: Sequence[Article]) -> float:
    """Return how many megabytes of UTF-8 are worked on in a second of processor time."""
    start = time.process_time()
    for article in articles:
        work(article)
    return sum(len(article.text.encode()) for article in articles) / (time.process_time() - start) / 1e6


def words(text: str) -> Counter[str]:
    """Count the words of a plain text."""
    return Counter(WORD.findall(text))


def main() -> None:
    """Print the table."""
    articles = list(read(sys.argv[1] if len(sys.argv) > 1 else "jawiki-country", format_name="wikipedia"))
    some = articles[::10]
    rows: list[tuple[str, str, str]] = []
    for name, work in (
        ("plain lines", lambda article: plain_lines(article.text)),
        ("tree", lambda article: outline(article.title, article.text)),
        ("candidates", lambda article: list(candidates(article.title, outline(article.title, article.text)))),
    ):
        rows.append((name, f"{megabytes_a_second(work, articles):.1f}", ""))
    model = pretrained_hyponymy()
    rows.append(
        ("judged pairs", f"{megabytes_a_second(lambda one: list(judged_pairs([one], model)), articles):.2f}", "")
    )
    try:
        import mwparserfromhell
    except ImportError:
        rows.append(("mwparserfromhell", "not installed", ""))
    else:
        speed = megabytes_a_second(lambda article: mwparserfromhell.parse(article.text).strip_code(), some)
        theirs, ours = Counter[str](), Counter[str]()
        for article in some:
            theirs += words(str(mwparserfromhell.parse(article.text).strip_code()))
            ours += words("\n".join(plain_lines(article.text)))
        both = (theirs & ours).total()
        told = (
            f"{100 * both / theirs.total():.1f} % of its words are ours, {100 * both / ours.total():.1f} % of ours its"
        )
        rows.append(("mwparserfromhell, plain text", f"{speed:.2f}", told))
    print(f"{'what':30} {'MB/s':>8}")
    for name, figure, told in rows:
        print(f"{name:30} {figure:>8}  {told}")


if __name__ == "__main__":
    main()
