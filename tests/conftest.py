"""Fixtures and budgets for all tests."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from kakari.corpora import catalogue

# The same examples on every run: a red build must be red again when one looks.
settings.register_profile("kakari", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kakari")

# A shell's background job starts with SIGINT ignored; the tests of Ctrl-C need Python's own handler there too.
signal.signal(signal.SIGINT, signal.default_int_handler)

FUZZ_EXAMPLES = int(os.environ.get("KAKARI_FUZZ_EXAMPLES", "150"))


@pytest.fixture
def need_corpus():
    """Skip the test where a corpus is absent, and say how to get it."""

    def need(reference):
        corpus = catalogue.corpus_named(reference.partition(":")[0])
        if catalogue.find(corpus.name) is None:
            pytest.skip(f"{corpus.name} is not on this machine. {corpus.obtain}")

    return need
