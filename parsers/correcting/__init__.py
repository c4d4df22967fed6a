"""A parser that learns from its user: corrections of single decisions, learned at once, checked, taken back.

In: a model and a user's corrections, one line each
Out: the same model with what the corrections add, and a report of what is right now and what broke
Uses: corpora, corpora.records, kernels.frozen, kernels.sets, models, models.correcting, parsers.arguments,
    parsers.arguments.candidates, parsers.dependency, parsers.english, parsers.english.words, parsers.japanese,
    parsers.japanese.bunsetsu, parsers.japanese.dependency, parsers.japanese.words, parsers.questions
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.correcting.checking import check as check
    from kakari.parsers.correcting.checking import read_table as read_table
    from kakari.parsers.correcting.files import append_correction as append_correction
    from kakari.parsers.correcting.files import read_corrections as read_corrections
    from kakari.parsers.correcting.files import remove_last as remove_last
    from kakari.parsers.correcting.learning import Corrected as Corrected
    from kakari.parsers.correcting.learning import apply_corrections as apply_corrections
    from kakari.parsers.correcting.learning import history as history
    from kakari.parsers.correcting.learning import load_correctable as load_correctable
    from kakari.parsers.correcting.learning import original as original
    from kakari.parsers.correcting.learning import undo as undo
    from kakari.parsers.correcting.records import Correction as Correction
    from kakari.parsers.correcting.records import CorrectionError as CorrectionError

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "checking": "check read_table",
        "files": "append_correction read_corrections remove_last",
        "learning": "Corrected apply_corrections history load_correctable original undo",
        "records": "Correction CorrectionError",
    },
)
