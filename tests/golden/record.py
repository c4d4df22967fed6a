"""Records what the command line prints, and tells later whether it still prints the same bytes.

    python record.py --python VENV/bin/python DIR             record cases.txt into DIR, a text file a group
    python record.py --python VENV/bin/python --compare DIR   run again, print what differs, exit 1 if anything does

`--group NAME` (repeatable) takes those groups only, `--without NAME` leaves some out; without either, all but `slow`
are run. A difference that is meant stands in deliberate.tsv: the case (a shell pattern), a tab, why.

Needs the standard library here, and there no more than the entry point `kakari` and, for pipelines.py, `kakari.load`.

In DIR, lines begin with what they are: `| ` stdout, `! ` stderr, `+ ` a file that the command wrote (of a model, its
metadata and the hashes of its arrays). A stream of more than LIMIT bytes is kept as its first lines and hashes of all
its lines; one that an earlier case of the group had, as that case's command.
"""

from __future__ import annotations

import argparse
import difflib
import fnmatch
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from masking import LIMIT, REPEATED, content_of, masked, shortened

HERE = Path(__file__).resolve().parent
DIFF_LINES = 60
SLOW = "slow"


@dataclass(frozen=True)
class Case:
    """A command of cases.txt: its words, streams, and how it is run.

    Attributes
    ----------
    way : str
        "kakari" in a fork of the warm process, "process" as a process of its own, "python" a script beside this one.
    loose : bool
        Whether decimal numbers and the width of spaces are not looked at.
    """

    group: str
    line: str
    way: str
    words: tuple[str, ...]
    source: str | None
    target: str | None
    loose: bool

    @property
    def name(self) -> str:
        """Name the case for people and for deliberate.tsv."""
        return f"{self.group}: {self.line}"


def expanded(line: str) -> Iterator[str]:
    """Yield a line for every choice in braces: `-f {knp,json}` is two."""
    pieces = re.split(r"\{([^{}]*)\}", line)
    for chosen in itertools.product(*(piece.split(",") for piece in pieces[1::2])):
        yield "".join(itertools.chain(*itertools.zip_longest(pieces[::2], chosen, fillvalue=""))).rstrip()


def read_cases(path: Path) -> list[Case]:
    """Read cases.txt: `[group]`, then a command a line, with `< FILE` and `> FILE` as in a shell."""
    cases, group = [], ""
    for written in path.read_text(encoding="utf-8").splitlines():
        if written.startswith("[") and written.endswith("]"):
            group = written[1:-1]
        elif written and not written.startswith("#"):
            cases += [read_case(group, line) for line in expanded(written)]
    if twice := [name for name, count in Counter(case.name for case in cases).items() if count > 1]:
        raise SystemExit(f"{path}: these stand there twice: {twice}")
    return cases


def read_case(group: str, line: str) -> Case:
    """Read one command."""
    words = shlex.split(line)
    places: dict[str, str | None] = {"<": None, ">": None}
    for mark in places:
        if mark in words:
            at = words.index(mark)
            places[mark] = words[at + 1]
            del words[at : at + 2]
    loose = words[0] == "loose"
    way, *rest = words[loose:]
    rest = rest[1:] if way == "process" else rest
    return Case(group, line, way, tuple(rest), places["<"], places[">"], loose)


class Runner:
    """Runs cases in a folder for each group, with a copy of the inputs, where no corpora but the samples are found."""

    def __init__(self, python: Path, root: Path) -> None:
        self.python, self.root = python, root
        self.environment = {
            "PYTHONDONTWRITEBYTECODE": "1",
            "PATH": os.environ.get("PATH", ""),
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "100",
            "HOME": str(root / "home"),
            "TMPDIR": str(root / "tmp"),
            "MPLCONFIGDIR": str(Path(tempfile.gettempdir()) / "kakari-golden-matplotlib"),
            **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
        }
        self.seen: dict[tuple[str, str], str] = {}
        for name in ("home", "tmp", "streams"):
            (root / name).mkdir()
        command = [str(python), str(HERE / "worker.py")]
        pipe = subprocess.PIPE
        self.worker = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, encoding="utf-8", env=self.environment, cwd=root / "home"
        )

    def run(self, case: Case) -> str:
        """Run a case; write down what it did."""
        folder = self.root / "groups" / case.group
        if not folder.exists():
            shutil.copytree(HERE / "inputs", folder)
        streams = [str(folder / case.source) if case.source else os.devnull]
        streams += [str(self.root / "streams" / name) for name in ("out", "err")]
        before = stamps(folder)
        code = self._forked(case, folder, streams) if case.way == "kakari" else self._started(case, folder, streams)
        out, err = (Path(stream).read_bytes() for stream in streams[1:])
        made = [path for path, stamp in stamps(folder).items() if before.get(path) != stamp]
        if case.target:
            (folder / case.target).write_bytes(out)
        lines = [f"$ {case.line}", f"exit {code}", *self._told("| ", out, case), *self._told("! ", err, case)]
        for path in sorted(made):
            lines += [f"+ {path.relative_to(folder)}", *self._told("+   ", content_of(path), case)]
        return "\n".join(lines) + "\n"

    def _forked(self, case: Case, folder: Path, streams: list[str]) -> int:
        request = {"arguments": case.words, "folder": str(folder), "streams": streams}
        if self.worker.stdin is not None:
            self.worker.stdin.write(json.dumps(request) + "\n")
            self.worker.stdin.flush()
        answer = self.worker.stdout.readline() if self.worker.stdout else ""
        if not answer:
            raise SystemExit(f"the worker ended at {case.name}")
        return int(answer)

    def _started(self, case: Case, folder: Path, streams: list[str]) -> int:
        command = [str(self.python.with_name("kakari")), *case.words]
        if case.way == "python":
            command = [str(self.python), str(HERE / case.words[0]), *case.words[1:]]
        places: dict[str, Any] = {"cwd": folder, "env": self.environment, "check": False}
        source, out, err = map(Path, streams)
        with source.open("rb") as stdin, out.open("wb") as stdout, err.open("wb") as stderr:
            return subprocess.run(command, stdin=stdin, stdout=stdout, stderr=stderr, **places).returncode

    def _told(self, mark: str, content: bytes, case: Case) -> list[str]:
        if not content:
            return []
        text = masked(content.decode("utf-8", "backslashreplace").replace(str(self.root), "<tmp>"), case.loose)
        first = self.seen.setdefault((case.group, text), case.line)
        if first != case.line and len(text) > REPEATED:
            return [f"{mark}(as of: {first})"]
        if len(text.encode()) > LIMIT:
            return [mark + line for line in shortened(text)]
        lines = text.split("\n")
        lines = [*lines, "(no newline at the end)"] if lines[-1] else lines[:-1]
        return [mark + line for line in lines]

    def close(self) -> None:
        """Let the worker end."""
        self.worker.communicate()


def stamps(folder: Path) -> dict[Path, tuple[int, int]]:
    """Tell which files there are, and when each was written."""
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in folder.rglob("*") if path.is_file()}


def run_all(python: Path, cases: Iterable[Case]) -> dict[str, dict[str, str]]:
    """Run cases; give what each did, by group and name."""
    told: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory(prefix="kakari-golden-") as root:
        runner = Runner(python, Path(root).resolve())
        for case in cases:
            start = time.monotonic()
            told.setdefault(case.group, {})[case.name] = runner.run(case)
            if (seconds := time.monotonic() - start) > 2:
                sys.stderr.write(f"{seconds:.1f} s: {case.name}\n")
        runner.close()
    return told


def read_records(path: Path) -> dict[str, str]:
    """Read a group's file."""
    text = path.read_bytes().decode("utf-8") if path.exists() else ""
    group = path.stem
    pieces = re.split(r"^(?=\$ )", text, flags=re.MULTILINE)[1:]
    return {f"{group}: {piece[2 : piece.index(chr(10))]}": piece for piece in pieces}


def compare(folder: Path, told: dict[str, dict[str, str]], deliberate: dict[str, str]) -> int:
    """Print what differs from the record; count what nobody meant."""
    unmeant = 0
    for group, cases in told.items():
        recorded = read_records(folder / f"{group}.txt")
        for name in dict.fromkeys([*recorded, *cases]):
            was, now = recorded.get(name, ""), cases.get(name, "")
            if was == now:
                continue
            why = next((why for pattern, why in deliberate.items() if fnmatch.fnmatchcase(name, pattern)), None)
            unmeant += why is None
            sys.stdout.write(f"==== {name}\n" + (f"deliberate: {why}\n" if why else ""))
            lines = list(difflib.unified_diff(was.split("\n"), now.split("\n"), "recorded", "now", lineterm="", n=1))
            sys.stdout.writelines(f"{line}\n" for line in lines[:DIFF_LINES])
            if len(lines) > DIFF_LINES:
                sys.stdout.write(f"({len(lines) - DIFF_LINES} more lines)\n")
    return unmeant


def main() -> None:
    """Record or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--python", type=Path, default=Path(sys.executable), help="the python that has kakari")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--group", action="append", default=[])
    parser.add_argument("--without", action="append", default=[])
    asked = parser.parse_args()
    cases = [case for case in read_cases(HERE / "cases.txt") if case.group not in asked.without]
    cases = [case for case in cases if (case.group in asked.group if asked.group else case.group != SLOW)]
    start = time.monotonic()
    told = run_all(asked.python.absolute(), cases)
    unmeant = 0
    if asked.compare:
        notes = (HERE / "deliberate.tsv").read_text(encoding="utf-8").splitlines()
        meant = dict(note.split("\t", 1) for note in notes if "\t" in note and not note.startswith("#"))
        unmeant = compare(asked.folder, told, meant)
    else:
        asked.folder.mkdir(parents=True, exist_ok=True)
        for group, records in told.items():
            (asked.folder / f"{group}.txt").write_bytes("".join(records.values()).encode())
    done = f"{unmeant} differ" if asked.compare else "recorded"
    sys.stdout.write(f"{len(cases)} cases, {done}, {time.monotonic() - start:.0f} s\n")
    sys.exit(1 if unmeant else 0)


if __name__ == "__main__":
    main()
