"""kakari reads raw text and finds its structure with kernel machines at the speed of linear models.

>>> import kakari
>>> nlp = kakari.load("ja")
>>> doc = nlp("太郎は京都大学に行った。")
>>> [(b.text, b._.head.text) for b in doc._.bunsetsu]
[('太郎は', '行った。'), ('京都大学に', '行った。'), ('行った。', '行った。')]

Every public name is offered here and imported when it is first asked for, so that whoever wants a parser never
waits for a learner.

>>> from kakari import TreeKernel, Treebank
>>> TreeKernel().gram(Treebank().read(["(S (NP a) (VP b))", "(S (NP a) (VP c))"])).round(2).tolist()
[[1.0, 0.61], [0.61, 1.0]]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kakari.corpora.catalogue import read as read
    from kakari.corpora.records.errors import CorpusError as CorpusError
    from kakari.kernels.frozen.freezing import freeze as freeze
    from kakari.kernels.frozen.model import FrozenModel as FrozenModel
    from kakari.kernels.learning.binary_learner import KernelLearner as KernelLearner
    from kakari.kernels.learning.multiclass import MulticlassLearner as MulticlassLearner
    from kakari.kernels.sets.featuresets import FeatureSets as FeatureSets
    from kakari.kernels.trees.combined_kernel import CombinedKernel as CombinedKernel
    from kakari.kernels.trees.combined_kernel import PreferenceKernel as PreferenceKernel
    from kakari.kernels.trees.forest import Forest as Forest
    from kakari.kernels.trees.given_kernel import CustomKernel as CustomKernel
    from kakari.kernels.trees.parameters import ProductKernel as ProductKernel
    from kakari.kernels.trees.parameters import SumKernel as SumKernel
    from kakari.kernels.trees.similarity import MatrixSimilarity as MatrixSimilarity
    from kakari.kernels.trees.similarity import WordVectors as WordVectors
    from kakari.kernels.trees.smoothed_kernel import SmoothedTreeKernel as SmoothedTreeKernel
    from kakari.kernels.trees.tree_kernel import TreeKernel as TreeKernel
    from kakari.kernels.trees.vector_kernel import VectorKernel as VectorKernel
    from kakari.models.files import ModelFileError as ModelFileError
    from kakari.models.machines.examples import TreesAndVectors as TreesAndVectors
    from kakari.models.machines.examples import gram as gram
    from kakari.models.machines.kernel_classifier import KernelClassifier as KernelClassifier
    from kakari.models.machines.online import OnlineClassifier as OnlineClassifier
    from kakari.models.machines.sdag import SDAG as SDAG
    from kakari.models.machines.svm import KernelSVC as KernelSVC
    from kakari.models.polynomial.classifier import Classifier as Classifier
    from kakari.models.polynomial.classifier import from_svc as from_svc
    from kakari.models.polynomial.estimator import PolynomialClassifier as PolynomialClassifier
    from kakari.models.regression.online import OnlineRegressor as OnlineRegressor
    from kakari.models.regression.svr import KernelSVR as KernelSVR
    from kakari.models.treebank import Treebank as Treebank
    from kakari.models.vocabulary import Vocabulary as Vocabulary
    from kakari.parsers.arguments.model import ArgumentModel as ArgumentModel
    from kakari.parsers.dependency.shapes import dependency_brackets as dependency_brackets
    from kakari.parsers.dependency.shapes import document_brackets as document_brackets
    from kakari.parsers.english.parser import EnglishParser as EnglishParser
    from kakari.parsers.japanese.parser import JapaneseParser as JapaneseParser
    from kakari.parsers.limits import TextWarning as TextWarning
    from kakari.parsers.questions.compact_model import QuestionReader as QuestionReader
    from kakari.pipelines import load as load
    from kakari.reading.svm_models import load_svm as load_svm

    __version__: str


def lazy_names(package: str, names: Mapping[str, str]) -> tuple[Callable[[str], Any], list[str]]:
    """Make a package's `__getattr__` and `__all__`: its public names by the module that each is imported from.

    Examples
    --------
    >>> getattribute, names = lazy_names("kakari", {"pipelines": "load PIPELINES"})
    >>> names, getattribute("load").__name__
    (['PIPELINES', 'load'], 'load')
    """
    modules = {name: f"{package}.{module}" for module, line in names.items() for name in line.split()}

    def getattribute(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(modules[name]), name)
        setattr(import_module(package), name, value)  # the next time it is simply there
        return value

    return getattribute, sorted(modules)


_public_name, __all__ = lazy_names(
    __name__,
    {
        "corpora.catalogue": "read",
        "corpora.records.errors": "CorpusError",
        "kernels.frozen.freezing": "freeze",
        "kernels.frozen.model": "FrozenModel",
        "kernels.learning.binary_learner": "KernelLearner",
        "kernels.learning.multiclass": "MulticlassLearner",
        "kernels.sets.featuresets": "FeatureSets",
        "kernels.trees.combined_kernel": "CombinedKernel PreferenceKernel",
        "kernels.trees.forest": "Forest",
        "kernels.trees.given_kernel": "CustomKernel",
        "kernels.trees.parameters": "ProductKernel SumKernel",
        "kernels.trees.similarity": "MatrixSimilarity WordVectors",
        "kernels.trees.smoothed_kernel": "SmoothedTreeKernel",
        "kernels.trees.tree_kernel": "TreeKernel",
        "kernels.trees.vector_kernel": "VectorKernel",
        "models.files": "ModelFileError",
        "models.machines.examples": "TreesAndVectors gram",
        "models.machines.kernel_classifier": "KernelClassifier",
        "models.machines.online": "OnlineClassifier",
        "models.machines.sdag": "SDAG",
        "models.machines.svm": "KernelSVC",
        "models.polynomial.classifier": "Classifier from_svc",
        "models.polynomial.estimator": "PolynomialClassifier",
        "models.regression.online": "OnlineRegressor",
        "models.regression.svr": "KernelSVR",
        "models.treebank": "Treebank",
        "models.vocabulary": "Vocabulary",
        "parsers.arguments.model": "ArgumentModel",
        "parsers.dependency.shapes": "dependency_brackets document_brackets",
        "parsers.english.parser": "EnglishParser",
        "parsers.japanese.parser": "JapaneseParser",
        "parsers.limits": "TextWarning",
        "parsers.questions.compact_model": "QuestionReader",
        "pipelines": "load",
        "reading.svm_models": "load_svm",
    },
)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("kakari")
    return _public_name(name)
