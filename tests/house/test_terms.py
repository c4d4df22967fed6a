"""The terms of the models' data: cards, docs/licences.md, the wheel's licence expression and the README agree."""

import re
from importlib import metadata

import pytest
from packaging.licenses import canonicalize_license_expression
from source_graph import ROOT

from kakari.corpora.corpus_list import CORPORA

PAGE = (ROOT / "docs" / "licences.md").read_text("utf-8")
CARDS = {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "models" / "pretrained").glob("*.md"))}
EXPRESSION = metadata.metadata("kakari")["License-Expression"]


def rows():
    """Yield model, names of corpora and licences of each row of the table."""
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 6 and cells[0].strip("` ") in CARDS:
            names = re.findall(r"`([a-z-]+)(?::\w+)?`", cells[1])
            yield cells[0].strip("` "), names, re.findall(r"[\w.-]+", cells[4].replace(" AND ", " "))


def licences():
    return {name for _, _, names in rows() for name in names if re.match(r"BSD-|CC-|LicenseRef-", name)}


@pytest.mark.parametrize("model", CARDS)
def test_a_card_names_its_terms_and_the_table_its_corpora(model):
    assert re.search(r"^Terms of the data: .*", CARDS[model], re.MULTILINE)
    assert "docs/licences.md" in CARDS[model]
    (trained,) = re.findall(r"^\| trained on \| (.*) \|$", CARDS[model], re.MULTILINE)
    trained += "".join(re.findall(r"^\| parser trained before on \| (.*) \|$", CARDS[model], re.MULTILINE))
    used = set(re.findall(r"[a-z-]+", trained)) & set(CORPORA)
    assert {name for row, names, _ in rows() if row == model for name in names} == used


def test_the_wheel_says_all_of_it():
    assert canonicalize_license_expression(EXPRESSION) == EXPRESSION
    assert set(EXPRESSION.split(" AND ")) == {"MIT", *licences()}
    assert EXPRESSION in " ".join(PAGE.split())
    assert all(f"`{name}`:" in PAGE for name in licences() if name.startswith("LicenseRef-"))


def test_the_readme_says_where():
    assert "docs/licences.md" in (ROOT / "README.md").read_text("utf-8")
