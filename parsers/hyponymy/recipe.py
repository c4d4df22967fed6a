"""The embedded Japanese hyponymy model: how it is made (`kakari.parsers.recipes`), and its card."""

from __future__ import annotations

from typing import Any

import numpy as np

from kakari.corpora import catalogue
from kakari.parsers.hyponymy.model import HyponymyModel
from kakari.parsers.hyponymy.scores import scores
from kakari.parsers.hyponymy.training import HyponymyOptions, train_hyponymy
from kakari.parsers.recipes import Workshop, rows

OPTIONS = HyponymyOptions(degree=2, minimum_weight=0.001)
CARD = """# ja-hyponymy

Which pairs of names from the lists, tables, headings and definition sentences of a Japanese Wikipedia article are
hypernym and hyponym (kind-of or instance-of).

| | |
|---|---|
| trained on | sample-hyponymy: {pairs} candidate pairs of 206 articles on countries, {true} of them true |
| kernel | polynomial, degree {degree}, frozen; conjunctions with a weight below {minimum} are left out |
| size | {size:.2f} MB |

| | accuracy | precision | recall | F1 | average precision | recall at precision 90 % |
|---|---|---|---|---|---|---|
{rows}

Cross-validation is by article, over ten folds. `sample-hyponymy:dev` was judged by a model of
`sample-hyponymy:train`; the two share no article. The pairs are a sample stratified over kinds of lists: among all
candidates of an article the true ones are rarer, and so is a right answer among those that a threshold lets through.
All articles are on countries; for articles of other kinds nothing was measured.

Terms of the data: labels by kakari's authors (MIT); the names are Wikipedia's, CC BY-SA 4.0, and the model holds many
of them as features: use it under CC BY-SA (docs/licences.md).

Made by `make models-ja-hyponymy`.
"""


def pretrain(name: str, workshop: Workshop) -> tuple[HyponymyModel, dict[str, Any]]:
    """Train the embedded model and measure it; return it with the facts of its card."""
    train, dev = (list(catalogue.read(f"sample-hyponymy:{part}")) for part in ("train", "dev"))
    half = train_hyponymy(train, OPTIONS)
    measured = scores(np.array([bool(pair.label) for pair in dev]), half.margins(dev))
    model = train_hyponymy([*train, *dev], OPTIONS, report=workshop.report)
    model.information |= {
        "corpora": ["sample-hyponymy"],
        "scores": {"sample-hyponymy:dev": measured},
        "licence": "labels MIT; names from Wikipedia, CC BY-SA",
    }
    told = {"all, cross-validated": model.information["cross_validated"], "sample-hyponymy:dev": measured}
    keys = ("accuracy", "precision", "recall", "f1", "average_precision", "recall_at_precision_90")
    return model, {
        "pairs": model.information["pairs"],
        "true": model.information["true"],
        "degree": OPTIONS.degree,
        "minimum": OPTIONS.minimum_weight,
        "rows": rows({data: [f"{100 * own[key]:.1f}%" for key in keys] for data, own in told.items()}),
    }
