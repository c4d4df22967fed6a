"""What kind of answer a question asks for.

In: English text, or trees of questions
Out: classes with scores
Uses: corpora, corpora.formats, kernels, kernels.fragments, kernels.sets, kernels.trees, models, models.correcting,
    models.linear, models.machines, parsers, parsers.english, parsers.english.words
"""

from typing import TYPE_CHECKING

from kakari import lazy_names

if TYPE_CHECKING:
    from kakari.parsers.questions.compact_model import Answer as Answer
    from kakari.parsers.questions.compact_model import AskedSentence as AskedSentence
    from kakari.parsers.questions.compact_model import LinearQuestions as LinearQuestions
    from kakari.parsers.questions.compact_model import QuestionReader as QuestionReader
    from kakari.parsers.questions.compact_model import pretrained_questions as pretrained_questions
    from kakari.parsers.questions.kernel_model import QuestionClassifier as QuestionClassifier
    from kakari.parsers.questions.kernel_model import QuestionOptions as QuestionOptions
    from kakari.parsers.questions.training import train_detector as train_detector
    from kakari.parsers.questions.training import train_linear as train_linear

__getattr__, __all__ = lazy_names(
    __name__,
    {
        "compact_model": "Answer AskedSentence LinearQuestions QuestionReader pretrained_questions",
        "kernel_model": "QuestionClassifier QuestionOptions",
        "training": "train_linear train_detector",
    },
)
