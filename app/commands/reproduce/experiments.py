"""Every experiment of `kakari reproduce all`, in the order in which a budget is spent: the quick ones first."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kakari.results.stored import Book, Shelf


class Experiment(NamedTuple):
    """An experiment: the paper it belongs to, the corpora it reads, and what measures it."""

    paper: str
    corpora: tuple[str, ...]
    measure: Callable[[Shelf], Book]


def _slicing_dependency(shelf: Shelf) -> Book:
    from kakari.experiments.slicing_tables import measure_paper
    from kakari.experiments.slicing_tasks import dependency_task

    return measure_paper(dependency_task(), shelf, time_limit=shelf.time_limit)


def _loglinear(shelf: Shelf) -> Book:
    from kakari.experiments.slicing_tables import measure_loglinear
    from kakari.experiments.slicing_tasks import dependency_task

    return measure_loglinear(dependency_task(), shelf)


def _slicing_hyponymy(shelf: Shelf) -> Book:
    from kakari.experiments.slicing_tables import measure_paper
    from kakari.experiments.slicing_tasks import hyponymy_task

    return measure_paper(hyponymy_task(), shelf, time_limit=shelf.time_limit)


def _hyponymy_english(shelf: Shelf) -> Book:
    from kakari.experiments.hyponymy_pairs import measure_pairs

    return measure_pairs(shelf)


def _synthetic(shelf: Shelf) -> Book:
    from kakari.experiments.online_tables import synthetic_tables

    return synthetic_tables(shelf)


def _adult(shelf: Shelf) -> Book:
    from kakari.experiments.online_tables import adult_tables

    return adult_tables(shelf)


def _questions(shelf: Shelf) -> Book:
    from kakari.experiments.online_tables import question_tables

    return question_tables(shelf)


def _linearization(shelf: Shelf) -> Book:
    from kakari.experiments.linearization_tables import measure_linearization

    return measure_linearization(shelf)


def _boundary_online(shelf: Shelf) -> Book:
    from kakari.experiments.linearization_tables import measure_boundary_stream

    return measure_boundary_stream(shelf)


def _hyponymy_japanese(shelf: Shelf) -> Book:
    from kakari.experiments.hyponymy_pairs import measure_japanese

    return measure_japanese(shelf)


def _semi_supervised(shelf: Shelf) -> Book:
    from kakari.experiments.later.self_training import measure_self_training

    return measure_self_training(shelf)


def _sweeps(shelf: Shelf) -> Book:
    from kakari.experiments.later.sweeps import measure_sweeps

    return measure_sweeps(shelf)


def _curves(shelf: Shelf) -> Book:
    from kakari.experiments.later.curves import measure_curves

    return measure_curves(shelf)


def _trees(shelf: Shelf) -> Book:
    from kakari.experiments.later.curves import measure_automatic

    return measure_automatic(shelf)


def _pke(name: str) -> Callable[[Shelf], Book]:
    def measure(shelf: Shelf) -> Book:
        from kakari.experiments.svm_pke import measure_on_shelf

        return measure_on_shelf(shelf, name)

    return measure


EXPERIMENTS: dict[str, Experiment] = {
    "synthetic": Experiment("2011", (), _synthetic),
    "questions": Experiment("2011", ("qc-trees",), _questions),
    "online-sweeps": Experiment("2011", ("qc-trees",), _sweeps),
    "hyponymy-japanese": Experiment("hyponymy", ("sample-hyponymy",), _hyponymy_japanese),
    "hyponymy-english": Experiment("hyponymy", ("hyponymy-en", "hearst-counts"), _hyponymy_english),
    "pke-chunking": Experiment("2003", ("conll2000:train",), _pke("chunking")),
    "pke-segmentation": Experiment("2003", ("kwdlc",), _pke("segmentation")),
    "pke-dependency": Experiment("2003", ("dep-examples",), _pke("dependency")),
    "semi-supervised": Experiment("2010", ("dep-examples",), _semi_supervised),
    "slicing-loglinear": Experiment("2010", ("dep-examples",), _loglinear),
    "slicing-dependency": Experiment("2010", ("dep-examples",), _slicing_dependency),
    "slicing-hyponymy": Experiment("2010", ("hyponymy-en", "hearst-counts"), _slicing_hyponymy),
    "adult": Experiment("2011", ("adult",), _adult),
    "linearization": Experiment("2013", ("wsj:train", "wsj:dev"), _linearization),
    "boundary-online": Experiment("2011", ("wsj:train", "wsj:dev"), _boundary_online),
    "linearization-curves": Experiment("2013", ("wsj:train", "wsj:dev"), _curves),
    "linearization-trees": Experiment("2013", ("ewt:train", "ewt:dev"), _trees),
}
