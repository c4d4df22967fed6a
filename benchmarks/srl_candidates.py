"""A million argument spanning trees of a PropBank corpus, learnt from in one pass.

python benchmarks/srl_candidates.py --examples 1000000     averaged perceptron; prints one line
"""

import argparse
import json
import resource
import sys
import time
from itertools import islice

from kakari.kernels.trees.tree_kernel import TreeKernel
from kakari.models.machines.online import OnlineClassifier
from kakari.parsers.arguments.candidates.examples import Candidates
from kakari.parsers.arguments.candidates.extraction import CandidateExtractor
from kakari.parsers.arguments.candidates.frames import read_frames

SENTENCES = 150  # worked on together: about 20,000 candidates


def forests(corpus, limit):
    """Yield forests of candidates with their signs, up to a number of candidates."""
    extractor, sentences, seen = CandidateExtractor(features=False), iter(read_frames(corpus)), 0
    while seen < limit and (batch := list(islice(sentences, SENTENCES))):
        found = Candidates(extractor.extract(batch))
        if len(found):
            found = found if len(found) <= limit - seen else found.upto(limit - seen)
            yield found.forest, found.signs
        seen += len(found)


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
