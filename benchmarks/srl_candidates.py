"""Argument spanning trees of all candidates of a PropBank corpus, as forests; and a million of them learnt from.

A candidate is a constituent that does not cover the predicate's word. Its tree is the path from the lowest common
ancestor to the predicate's pre-terminal (marked -P) and the path to the candidate (marked -B) with everything below
it. It is positive where it covers exactly an argument.

    python benchmarks/srl_candidates.py --examples 1000000     averaged perceptron, one pass; prints one line
"""

import argparse
import json
import resource
import sys
import time

import numpy as np

from kakari import corpora
from kakari.kernels.forest import Forest
from kakari.kernels.treekernels import TreeKernel
from kakari.models.online import OnlineClassifier

CHUNK = 20_000


class Sentence:
    """A tree's nodes in postorder: label, number of children, parent, first node below, first and last word."""

    def __init__(self, tree, numbers):
        self.labels, self.arities, self.lowest, self.spans, self.parents = [], [], [], [], []
        self.words = []  # node numbers of the leaves
        waiting = [(tree, None)]
        while waiting:
            node, children = waiting.pop()
            if isinstance(node, str):
                here = len(self.words)
                self.words.append(len(self.labels))
                self._add(numbers(node), 0, len(self.labels), (here, here + 1))
            elif children is None:
                waiting.append((node, len(node)))
                waiting.extend((child, None) for child in reversed(node))
            else:
                below = self._last(children)
                lowest = self.lowest[below[0]]
                span = self.spans[below[0]][0], self.spans[below[-1]][1]
                for child in below:
                    self.parents[child] = len(self.labels)
                self._add(numbers(node.label()), children, lowest, span)

    def _add(self, label, arity, lowest, span):
        self.labels.append(label)
        self.arities.append(arity)
        self.lowest.append(lowest)
        self.spans.append(span)
        self.parents.append(-1)

    def _last(self, count):
        """Give the last `count` nodes that have no parent yet, in order."""
        found, node = [], len(self.labels) - 1
        while len(found) < count:
            found.append(node)
            node = self.lowest[node] - 1
        return found[::-1]

    def ancestors(self, node):
        """Give the path from a node to the root, without the node."""
        path = []
        while self.parents[node] >= 0:
            node = self.parents[node]
            path.append(node)
        return path


class Candidates:
    """Yields labels, numbers of children and signs, with one numbering of labels throughout."""

    def __init__(self):
        self.names = {}

    def number(self, name):
        """Give a label's number."""
        return self.names.setdefault(name, len(self.names))

    def of(self, record):
        """Yield the candidates of a sentence's predicates."""
        sentence = Sentence(record.tree, self.number)
        marked = {
            mark: [self.number(name + mark) for name in map(self._name, sentence.labels)] for mark in ("-B", "-P")
        }
        for predicate in record.predicates:
            yield from self._of_predicate(sentence, predicate, marked)

    def _name(self, number):
        if not hasattr(self, "_listed") or len(self._listed) <= number:
            self._listed = list(self.names)
        return self._listed[number]

    @staticmethod
    def _of_predicate(sentence, predicate, marked):
        word = sentence.words[predicate.token]
        path = sentence.ancestors(word)  # the pre-terminal first
        steps = {node: step for step, node in enumerate(path)}
        arguments = {(span.start, span.end) for span in predicate.arguments}
        labels, arities = sentence.labels, sentence.arities
        leaf = labels[word]
        for node in range(len(labels) - 1):
            if arities[node] == 0 or node in steps:
                continue
            between, above = [], sentence.parents[node]
            while above not in steps:
                between.append(labels[above])
                above = sentence.parents[above]
            climb = path[1 : steps[above]]
            below = sentence.lowest[node]
            tree = [*labels[below:node], marked["-B"][node], *between]
            counts = [*arities[below : node + 1], *[1] * len(between)]
            spine = [leaf, marked["-P"][path[0]], *(labels[step] for step in climb)]
            spine_counts = [0, *[1] * (len(spine) - 1)]
            if node < word:
                tree, counts = tree + spine, counts + spine_counts
            else:
                tree, counts = spine + tree, spine_counts + counts
            tree.append(labels[above])
            counts.append(2)
            yield tree, counts, 1 if sentence.spans[node] in arguments else -1


def forests(corpus, limit, chunk=CHUNK):
    """Yield forests of candidates with their signs, up to a number of candidates."""
    candidates, seen, waiting = Candidates(), 0, []
    for record in corpora.read(corpus):
        waiting.extend(candidates.of(record))
        if len(waiting) >= min(chunk, limit - seen):
            yield gathered(waiting[: limit - seen])
            seen, waiting = seen + len(waiting), []
        if seen >= limit:
            return
    if waiting:
        yield gathered(waiting)


def gathered(candidates):
    """Give candidates as a forest, and their signs."""
    labels = np.fromiter((label for tree, _, _ in candidates for label in tree), dtype=np.int32)
    arities = np.fromiter((arity for _, counts, _ in candidates for arity in counts), dtype=np.int32)
    ends = np.cumsum([0] + [len(tree) for tree, _, _ in candidates])
    return Forest.from_arrays(labels, arities, ends), np.array([sign for _, _, sign in candidates])


def learn(corpus, examples):
    """Learn in one pass; give what was measured."""
    learner = OnlineClassifier(TreeKernel("stk"), "averaged")
    seen, nodes, positive, learning = 0, 0, 0, 0.0
    for forest, signs in forests(corpus, examples):
        start = time.process_time()
        learner.partial_fit(forest, signs, classes=[-1, 1])
        learning += time.process_time() - start
        seen, nodes, positive = seen + signs.size, nodes + forest.labels.size, positive + int((signs > 0).sum())
        print(f"{seen:,} seen, {learning:.0f} s", file=sys.stderr, flush=True)
    return {
        "examples": seen,
        "positive": positive,
        "nodes_per_tree": nodes / seen,
        "mistakes": int(learner.mistakes_[0]),
        "learning_cpu_seconds": learning,
        "cpu_seconds": time.process_time(),
        "peak_gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", default="wsj:train")
    parser.add_argument("--examples", type=int, default=1_000_000)
    options = parser.parse_args()
    print(json.dumps(learn(options.corpus, options.examples)))
