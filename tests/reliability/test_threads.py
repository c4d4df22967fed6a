"""Every predict path, from eight threads on one model: the answers are those of one thread, bit for bit.

A path is a function of a number; each number is asked once alone, then by all threads at once in orders of their own.
The interpreter is told to change threads as often as it can, so that state which calls share is caught in use.
"""

import json
import random
import sys
import threading
from functools import cache

import numpy as np
import pytest

import kakari
from kakari.corpora import read
from kakari.corpora.formats.brackets import format_brackets
from kakari.kernels.fragments.mining import mine
from kakari.kernels.replay.set_sums import SetSums
from kakari.kernels.trees.dag import ForestDag
from kakari.models.vocabulary import Vocabulary
from kakari.parsers.arguments.model import pretrained_arguments
from kakari.parsers.dependency.parser import DependencyParser
from kakari.parsers.dependency.training import DependencySettings
from kakari.parsers.dependency.training import train as train_dependency
from kakari.parsers.dependency.treebank import read_treebank
from kakari.parsers.english.chunks.chunker import Chunker
from kakari.parsers.hyponymy.model import pretrained_hyponymy
from kakari.parsers.japanese.parser import pretrained_model
from kakari.parsers.japanese.tagging.model import pretrained_words
from kakari.parsers.japanese.words.morphemes import Lexicon
from kakari.parsers.japanese.words.sources import Sudachi
from kakari.parsers.questions.compact_model import pretrained_questions
from kakari.parsers.sequences.training import SequenceSettings
from kakari.parsers.sequences.training import train as train_sequence

pytestmark = pytest.mark.thorough

THREADS, ROUNDS = 8, 6
PATHS = {}


def path(make):
    """Register what makes a path and says how many different questions it can be asked."""
    PATHS[make.__name__] = make
    return make


@cache
def japanese_texts():
    given = [sentence.text for sentence in read("sample-ja")][:24]
    return [*given, "三つ買った。", "三番目に来た。", "蟋蟀が鳴く！", ""]


@cache
def english_texts():
    given = [" ".join(sentence.tree.leaves()) for sentence in read("sample-en")][:24]
    return [*given, "He gave what she wanted and/or asked for.", "Who was told?", ""]


@cache
def trees():
    return [format_brackets(sentence.tree) for sentence in read("sample-en")][:24]


@cache
def feature_sets():
    draw = random.Random(0)
    return [sorted(draw.sample(range(300), draw.randint(0, 40))) for _ in range(200)]


def chunks(items, number):
    return items[number::8]


@path
def japanese_parser():
    parser = kakari.JapaneseParser.pretrained(kinds=False, beam=3)
    return lambda number: list(parser.pipe(chunks(japanese_texts(), number)))


@path
def japanese_words():
    lexicon, sudachi = Lexicon(pretrained_model().lexicon.strings, "sudachi"), Sudachi()

    def ask(number):
        records = []
        morphemes = sudachi.morphemes(chunks(japanese_texts(), number), lexicon, records)
        return morphemes.fields.tobytes(), morphemes.ends.tobytes(), records

    return ask


@path
def japanese_documents():
    nlp = kakari.load("ja")

    def told(doc):
        tokens = [(token.text, token.lemma_, token.pos_, str(token.morph)) for token in doc]
        return tokens, dict(doc.user_data)

    return lambda number: [told(doc) for doc in nlp.pipe(chunks(japanese_texts(), number), batch_size=2)]


@path
def english_parser():
    parser = kakari.EnglishParser.pretrained()
    return lambda number: list(parser.pipe(chunks(english_texts(), number)))


@path
def english_documents():
    nlp = kakari.load("en")

    def told(doc):
        return json.dumps(doc.to_json()["tokens"]), dict(doc.user_data), dict(doc.cats)

    return lambda number: [told(nlp(text)) for text in chunks(english_texts(), number)]


@path
def arguments():
    parser, model = kakari.EnglishParser.pretrained(), pretrained_arguments()
    found = [one.tree for text in english_texts() for one in parser.parse(text)]
    return lambda number: model.find(found[number:] + found[:number], nominal=number % 2 == 1)


@path
def questions():
    parser, model = kakari.EnglishParser.pretrained(), pretrained_questions()
    found = [one.tree for text in english_texts() for one in parser.parse(text)]
    return lambda number: (model.scores(chunks(found, number)).tobytes(), model.asked(chunks(found, number)).tobytes())


@path
def universal_dependencies():
    parser = kakari.JapaneseParser.pretrained(universal=True)
    return lambda number: [
        sentence.words for found in parser.pipe(chunks(japanese_texts(), number)) for sentence in found
    ]


@path
def words_of_juman():
    model = pretrained_words()
    return lambda number: list(model.pipe(chunks(japanese_texts(), number)))


@path
def english_chunks():
    chunker = Chunker.pretrained()
    return lambda number: list(chunker.pipe(chunks(english_texts(), number)))


@path
def dependency_parser():
    quick = DependencySettings(passes=1, light_passes=1, label_passes=1, folds=1)
    model = train_dependency(list(read_treebank("sample-ud")), quick)
    parser = DependencyParser(model)

    def ask(number):
        tagged = model.tag([text.split() or ["no"] for text in chunks(english_texts(), number)])
        return list(parser.pipe(chunks(english_texts(), number))), model.best_trees(tagged[0], 4)

    return ask


@path
def sequences():
    rows = [[(word, word[:1]) for word in text.split()] for text in english_texts()]
    labels = [["B-X" if word.istitle() else "O" for word, _ in row] for row in rows]
    schemes = [{"scheme": "linear"}, {"scheme": "linear", "beam": 3}, {"scheme": "pairs"}, {"scheme": "direct"}]
    models = [train_sequence(rows, labels, SequenceSettings(fields=("word", "first"), **one)) for one in schemes]
    return lambda number: [model.predict(chunks(rows, number)) for model in models]


@path
def hyponymy():
    model, pairs = pretrained_hyponymy(), list(read("sample-hyponymy:dev"))[:400]
    return lambda number: (model.margins(chunks(pairs, number)).tobytes(), model.explain(pairs[number]))


@path
def frozen_model():
    rows = np.zeros((len(feature_sets()), 300))
    for row, one in zip(rows, feature_sets(), strict=True):
        row[one] = 1
    signs = np.array([1 if len(one) % 2 else -1 for one in feature_sets()])
    classifier = kakari.PolynomialClassifier(degree=3).fit(rows, signs)
    return lambda number: classifier.decision_function(rows[number::8]).tobytes()


@path
def set_sums():
    sets = feature_sets()
    sums = SetSums(2, np.bincount(np.concatenate(sets).astype(int), minlength=300), examples=len(sets))
    size = int(sums.add(kakari.FeatureSets.from_lists(sets)).max()) + 1

    def ask(number):
        asked = kakari.FeatureSets.from_lists(sets[number::8] * 40)
        values = sums.evaluate(asked, np.linspace(-1, 1, size))
        return values.tobytes(), sums.respond(asked, np.linspace(-1, 1, len(asked))).tobytes()

    return ask


@path
def tree_kernels():
    kernel, bank = kakari.TreeKernel("ptk"), kakari.Treebank()
    forest = bank.read(trees())
    return lambda number: kernel.gram(bank.read(chunks(trees(), number), learn=False), forest).tobytes()


@path
def forest_dag():
    kernel, bank = kakari.TreeKernel("stk"), kakari.Treebank()
    forest = bank.read(trees())
    dag = ForestDag(kernel)
    dag.add(forest, np.linspace(-1, 1, len(forest)))
    return lambda number: dag.evaluate(bank.read(chunks(trees(), number), learn=False)).tobytes()


@path
def fragments():
    kernel, bank = kakari.TreeKernel("stk"), kakari.Treebank()
    forest = bank.read(trees())
    dag = ForestDag(kernel)
    dag.add(forest, np.linspace(-1, 1, len(forest)))
    dictionary = mine(dag, keep=200)
    weights = np.linspace(-1, 1, len(dictionary))

    def ask(number):
        asked = bank.read(chunks(trees(), number), learn=False)
        return dictionary.margins(asked, weights).tobytes()

    return ask


@path
def online_models():
    kernel, bank = kakari.TreeKernel("stk"), kakari.Treebank()
    forest, names = bank.read(trees()), ["abc"[number % 3] for number in range(len(trees()))]
    learned = kakari.OnlineClassifier(kernel, "averaged").fit(forest, names)
    budgeted = kakari.OnlineClassifier(kernel, "forgetron", budget=6).fit(forest, names)

    def ask(number):
        asked = bank.read(chunks(trees(), number), learn=False)
        return learned.decision_function(asked).tobytes(), budgeted.decision_function(asked).tobytes()

    return ask


@path
def machines():
    kernel, bank = kakari.TreeKernel("stk"), kakari.Treebank()
    forest, names = bank.read(trees()), ["abc"[number % 3] for number in range(len(trees()))]
    svc = kakari.KernelSVC(kernel, C=1.0).fit(forest, names)
    return lambda number: svc.decision_function(bank.read(chunks(trees(), number), learn=False)).tobytes()


@path
def vocabulary():
    known = Vocabulary()
    for text in japanese_texts():
        for character in text:
            known.add(character)
    return lambda number: [known.id_of(c) for text in chunks(japanese_texts(), number) for c in text + "犬"]


@pytest.fixture
def hurried():
    """Let threads change as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("name", PATHS)
def test_eight_threads_answer_as_one(name, hurried):
    ask = PATHS[name]()
    expected = [ask(number) for number in range(8)]
    differences, errors = [], []
    together = threading.Barrier(THREADS)

    def work(seed):
        draw = random.Random(seed)
        together.wait()
        try:
            for _ in range(ROUNDS):
                number = draw.randrange(8)
                if ask(number) != expected[number]:
                    differences.append(number)
        except BaseException as error:
            errors.append(error)
            raise

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(THREADS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not errors
    assert not differences
