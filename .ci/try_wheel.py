"""Try an installed wheel as a user would, on any system: both languages, a kernel machine, a model file."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

import kakari
from kakari import KernelClassifier, KernelSVC, PolynomialClassifier, TreeKernel


def main() -> None:
    """Raise or assert where something does not work."""
    assert kakari.__version__ == metadata.version("kakari")
    doc = kakari.load("ja")("太郎は京都大学に行った。")
    assert [(b.text, b._.head.text) for b in doc._.bunsetsu][:2] == [("太郎は", "行った。"), ("京都大学に", "行った。")]
    doc = kakari.load("en")("The board approved the plan.")
    assert [(p.lemma, [a.text for a in p.arguments]) for p in doc._.predicates] == [
        ("approve", ["The board", "the plan"])
    ]
    rows, labels = [[0, 1], [1, 0], [1, 1], [0, 0]], [1, 1, 0, 0]
    assert PolynomialClassifier(degree=2, passes=20).fit(rows, labels).predict(rows).tolist() == labels
    svc = KernelSVC(TreeKernel("stk"), C=3).fit(["(S (N dogs) (V bark))", "(Q (W who))"], ["told", "asked"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "svc.safetensors")
        svc.save(path)
        assert KernelClassifier.load(path).predict(["(Q (W what))"]) == ["asked"]
    told = subprocess.run(
        [sys.executable, "-m", "kakari", "ask", "Who wrote Hamlet?"], capture_output=True, check=True, encoding="utf-8"
    )
    assert told.stdout.startswith("HUM\tind")


if __name__ == "__main__":
    main()
