"""Candidates for the arguments of a predicate (nodes of a tree), and their features.

In: flat trees and predicates
Out: candidates as numbered features and small trees
Uses: corpora, corpora.records, kernels, kernels.hardware, kernels.hashed, kernels.sets, kernels.trees, models.linear,
    parsers.english.words, parsers.pictures
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.arguments.candidates.examples import Candidates as Candidates
    from kakari.parsers.arguments.candidates.extraction import CandidateExtractor as CandidateExtractor
    from kakari.parsers.arguments.candidates.frames import ArgumentError as ArgumentError
    from kakari.parsers.arguments.candidates.frames import Frame as Frame
    from kakari.parsers.arguments.candidates.frames import FramedSentence as FramedSentence
    from kakari.parsers.arguments.candidates.frames import read_frames as read_frames

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "examples": "Candidates",
        "extraction": "CandidateExtractor",
        "frames": "ArgumentError Frame FramedSentence read_frames",
    },
)
