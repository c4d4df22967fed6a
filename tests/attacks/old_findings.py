"""The findings of the first attack, tried on any installed kakari: what it does, and whether that is right.

    python tests/attacks/old_findings.py [NAME …]
    PYTHONPATH=SITE python tests/attacks/old_findings.py    # of an older one: pip install --target SITE

Model files are made by that kakari's own commands and changed where a stranger would change them, whatever the layout
of its version. A command must refuse them with exit code 1 or 2 and one line on stderr; text must cost at most three
times what ordinary text of its length costs, and workers must be gone two seconds after their parent.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from old_model_files import FINDINGS, KAKARI, Found, classifier, finding, made, refusal, run, success, told

# ---- threads, order, cost ----

THREADS = """
import sys, threading, kakari
sys.setswitchinterval(1e-5)
nlp = kakari.load("en")
texts = [f"{who} gave {whom} what {other} had asked for and told {whom} that {who} left because {other} cried."
         for who in ("He", "Mary", "The old man") for whom in ("her", "the dogs") for other in ("we", "John", "a boy")]
told = lambda doc: (doc.text, str(sorted(doc.user_data.items(), key=str)))
expected = [told(nlp(text)) for text in texts]
wrong = []
def work(number):
    for _ in range(8):
        for place in range(number, len(texts) + number):
            try:
                if told(nlp(texts[place % len(texts)])) != expected[place % len(texts)]:
                    wrong.append(place)
            except Exception as error:
                wrong.append(error)
threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]
print(len(wrong), "of", 4 * 8 * len(texts))
sys.exit(bool(wrong))
"""


@finding
def threads(folder: Path) -> list[Found]:
    """Four threads with one pipeline."""
    found = subprocess.run([sys.executable, "-W", "ignore", "-c", THREADS], capture_output=True, text=True, check=False)
    return [(found.returncode == 0, f"{found.stdout.strip()} analyses differ" if found.stdout else told(found))]


@finding
def what_came_before(folder: Path) -> list[Found]:
    """A numeral's reading is that of its first occurrence."""
    texts = ("三つ買った。", "三番目に来た。")
    alone, together = (
        "".join(str(getattr(run("parse", "-l", "ja", "-f", "cabocha", given=one), "stdout", "")) for one in given)
        for given in (texts, ("\n".join(texts),))
    )
    return [
        (alone == together, "the same alone and together" if alone == together else "another reading beside others")
    ]


def cpu(language: str, text: str) -> float:
    """Return the CPU seconds of parsing a text, without those of an empty one."""
    taken = []
    for given in ("", text):
        before = os.times()
        subprocess.run(
            [*KAKARI, "parse", "-l", language, "-f", "json"], input=given, text=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        after = os.times()
        taken.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return taken[1] - taken[0]


@finding
def cost_of_text(folder: Path) -> list[Found]:
    """Arguments of one word repeated, and brackets, beside ordinary text of the same length."""
    usual = "The old man gave his sister a book that he had read. " * 240
    times = cpu("en", "give " * (len(usual) // 5)) / cpu("en", usual)
    growth = cpu("ja", "（" * 60_000 + "」" * 60_000) / cpu("ja", "（" * 30_000 + "」" * 30_000)
    return [
        (times <= 3, f"'give ' again and again: {times:.2f} times ordinary text"),
        (growth <= 2.6, f"twice as many brackets: {growth:.2f} times the CPU time"),
    ]


@finding
def chosen_collisions(folder: Path) -> list[Found]:
    """Strings and ids that meet in one place of a table."""
    program = (
        "import sys, time; from kakari.models.vocabulary import Vocabulary\n"
        "own = Vocabulary(); names = open(sys.argv[1]).read().split(); before = time.process_time()\n"
        "[own.add(name) for name in names]; print(time.process_time() - before)"
    )
    taken = []
    for name, texts in zip(("chosen", "others"), chosen_texts(), strict=True):
        (folder / name).write_text("\n".join(bytes(row).decode() for row in texts), "utf-8")
        done = subprocess.run(
            [sys.executable, "-c", program, folder / name], capture_output=True, text=True, check=True
        )
        taken.append(float(done.stdout))
    return [(taken[0] <= 10 * taken[1], f"{taken[0] / taken[1]:.1f} times other strings")]


def chosen_texts() -> list[np.ndarray[Any, Any]]:
    """Return strings that meet in the table of version 0.1, and as many others."""
    draw = np.random.default_rng(0)
    texts = np.unique(draw.integers(97, 123, size=(3_000_000, 8), dtype=np.uint8), axis=0)
    mixed = np.full(len(texts), 0xCBF29CE484222325, dtype=np.uint64)
    for column in texts.T:
        mixed = (mixed ^ column.astype(np.uint64)) * np.uint64(0x100000001B3)
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(32)
    chosen = texts[(mixed & np.uint64(0x7FFF)) < 220]
    return [chosen, texts[draw.permutation(len(texts))[: len(chosen)]]]


# ---- processes ----


def children(process: int) -> set[int]:
    """Return the processes that a process has started."""
    lines = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout.splitlines()
    parents = {int(line.split()[0]): int(line.split()[1]) for line in lines}
    found: set[int] = set()
    new = {process}
    while new := {pid for pid, parent in parents.items() if parent in new} - found:
        found |= new
    return found


def lives(pid: int) -> bool:
    """Return whether a process lives."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def restore_signals() -> None:
    """A shell's background job ignores Ctrl-C, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@finding
def signals(folder: Path) -> list[Found]:
    """kill -9, SIGTERM and Ctrl-C with workers at work: nobody lives two seconds later."""
    found = []
    for sent in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        process = subprocess.Popen(
            [*KAKARI, "parse", "-l", "ja", "-f", "json", "-j", "2", "-"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=restore_signals,
        )  # fmt: skip

        def feed(process: Any = process) -> None:
            with contextlib.suppress(BrokenPipeError, ValueError):
                while True:
                    process.stdin.write("太郎は花子が読んでいる本を次郎に渡した。\n".encode() * 1_000)

        threading.Thread(target=feed, daemon=True).start()
        process.stdout.readline()  # type: ignore[union-attr]
        own = children(process.pid)
        process.send_signal(sent)
        before = time.monotonic()
        while time.monotonic() < before + 20 and any(map(lives, own | {process.pid})):
            time.sleep(0.05)
        taken = time.monotonic() - before
        left = sum(map(lives, own))
        outcome = f"{left} workers live on" if left else f"all ended after {taken:.1f} s"
        found.append((taken <= 2, f"{sent.name}: {outcome}"))
        for pid in own | {process.pid}:
            if lives(pid):
                os.kill(pid, signal.SIGKILL)
        process.wait()
    return found


@finding
def silent_scheduler(folder: Path) -> list[Found]:
    """A scheduler that says nothing."""
    (folder / "x.txt").write_text("太郎は本を読んだ。\n", "utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        return [refusal("parse", "-l", "ja", "-o", folder / "out", "--scheduler", place, folder / "x.txt")]


# ---- smaller ----


@finding
def damaged_readers(folder: Path) -> list[Found]:
    """A sentence without words in `evaluate`, a number without end in `convert`."""
    words = "本 ほん 本 名詞 6 普通名詞 1 * 0 * 0\n"
    (folder / "x.knp").write_text(f"EOS\n* -1D\n{words}EOS\n", "utf-8")
    head = "SVM-light Version V5.01-TK-1.2\n5 # kernel type\n"
    head += "1e999 # number of support vectors plus 1 \n0 # threshold b, each\n"
    (folder / "model").write_text(head, "utf-8")
    return [
        success("evaluate", "ja-juman", folder / "x.knp", "--given", "bunsetsu"),
        refusal("convert", folder / "model", "-o", folder / "out"),
    ]


SURROGATES = "import kakari; [kakari.load(language)('あ\\ud800い \\udfff a') for language in ('ja', 'en')]"


@finding
def lone_surrogates(folder: Path) -> list[Found]:
    """Half a character in a text."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SURROGATES], capture_output=True, text=True, check=False
    )
    return [(done.returncode == 0, told(done))]


@finding
def frozen_twice(folder: Path) -> list[Found]:
    """Freezing what is frozen."""
    return [refusal("freeze", classifier(folder, "splitting"), "-o", folder / "again")]


TRUNCATED = (
    """
import os, sys
from kakari.models.polynomial.classifier import Classifier
""",
    """
import os, sys
from kakari.models.classifier import Classifier
""",
)
GO_ON = """
model = Classifier.load(sys.argv[1])
os.truncate(sys.argv[1], 100)
model.to_bytes() if hasattr(model, "to_bytes") else model.save(sys.argv[1] + "x")
"""


@finding
def cut_short_under_a_process(folder: Path) -> list[Found]:
    """A model file that is cut short while a process has it."""
    lines = [f"{'yes' if i % 2 else 'no'}\ta{i % 150}\tb{i % 170}\tc{i % 190}\n" for i in range(2_000)]
    (folder / "many.tsv").write_text("".join(lines), "utf-8")
    made("train", "classify", folder / "many.tsv", "-o", folder / "many", "--passes", 3)
    made("freeze", folder / "many", "-o", folder / "frozen", "--kind", "splitting")
    path = folder / "frozen"
    content = path.read_bytes()
    for imports in TRUNCATED:
        path.write_bytes(content)
        command = [sys.executable, "-c", imports + GO_ON, path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if "No module named" not in done.stderr:
            break
    return [(done.returncode == 0, told(done))]


HOSTILE = """
import random, sys, kakari
draw = random.Random(0)
nlp = kakari.load(sys.argv[1])
wrong = {}
for name in nlp.pipe_names:
    component = nlp.get_pipe(name)
    state = component.to_bytes()
    for number in range(25):
        data = bytearray(state)
        for _ in range(draw.randint(1, 4)):
            if draw.random() < 0.5:
                data[draw.randrange(min(len(data), 200))] = draw.randrange(256)
            else:
                del data[draw.randrange(min(len(data), 2000)):]
                data += b"x"
        try:
            component.from_bytes(bytes(data))
        except Exception as error:
            if type(error).__module__.partition(".")[0] != "kakari":
                wrong[type(error).__name__] = wrong.get(type(error).__name__, 0) + 1
print(wrong)
sys.exit(bool(wrong))
"""


@finding
def hostile_bytes(folder: Path) -> list[Found]:
    """Bytes for the components of a pipeline."""
    command = [sys.executable, "-W", "ignore", "-c", HOSTILE, "en"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [(done.returncode == 0, f"foreign errors: {done.stdout.strip()}" if done.stdout else told(done))]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("findings", nargs="*", choices=[[], *FINDINGS])
    options = parser.parse_args()
    version = subprocess.run([*KAKARI, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"kakari {version.split()[-1]}")
    wrong = 0
    for name in options.findings or FINDINGS:
        with tempfile.TemporaryDirectory() as folder:
            for right, outcome in FINDINGS[name](Path(folder)):
                print(f"{'ok  ' if right else 'FAIL'}  {name}: {outcome}", flush=True)
                wrong += not right
    print(f"{wrong} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
