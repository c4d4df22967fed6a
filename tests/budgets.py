"""How many random examples tests try: fewer in `make quick`, more in `make fuzz`."""

import os

QUICK = "KAKARI_QUICK" in os.environ
FUZZ_EXAMPLES = int(os.environ.get("KAKARI_FUZZ_EXAMPLES", "8" if QUICK else "100"))


def examples(count):
    """Return how many examples a test tries that tries `count` of them in `make test`."""
    return max(3, count // 12) if QUICK else count
