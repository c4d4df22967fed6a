"""kill -9 at random moments: nothing is half written, what is resumed is what was not interrupted, no process lives on.

    python tests/attacks/kills.py [--kills 60] [--seed 0]

Commands in turn: `train classify` with a checkpoint, `parse -o` with two processes, `freeze`. Each is killed after
a random part of the time that it takes undisturbed, the file or folder of results is looked at, and it is run again to
its end; the bytes are compared with those of the undisturbed run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kakari.models.files import read_model

COMMAND = str(Path(sys.executable).with_name("kakari"))


def commands(folder: Path, made: Path) -> dict[str, list[str]]:
    """Return the commands; results go to `made`."""
    data = str(folder / "train.svm")
    texts = [str(folder / f"{number}.txt") for number in range(6)]
    return {
        "train": ["train", "classify", data, "-o", str(made / "model"), "--checkpoint", str(made / "check")],
        "parse": ["parse", "-l", "ja", "-f", "cabocha", "-j", "2", "-o", str(made / "out"), *texts],
        "freeze": ["freeze", str(folder / "classifier"), "-o", str(made / "frozen")],
    }


def results(made: Path) -> dict[str, str]:
    """Return a digest of each file that looks like a result."""
    return {
        str(file.relative_to(made)): digest(file)
        for file in sorted(made.rglob("*"))
        if file.is_file() and not file.name.startswith(".") and "check" not in file.parts
    }


def digest(file: Path) -> str:
    """Return a digest of a file; of a model, without the time and memory that its training took."""
    if file.suffix:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    arrays, settings = read_model(file)
    told = json.dumps(settings, sort_keys=True, default=str)
    told = re.sub(r'"(seconds|peak_memory_mb)": [0-9.e-]+', "", told)
    parts = [told, *(f"{name} {array.dtype} {array.shape}" for name, array in sorted(arrays.items()))]
    made = hashlib.sha256("\n".join(parts).encode())
    for _, array in sorted(arrays.items()):
        made.update(array.tobytes())
    return made.hexdigest()


def orphans(group: int) -> list[int]:
    """Return the processes of a group that are alive."""
    told = subprocess.run(["ps", "-eo", "pid=,pgid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in told.splitlines()]
    return [int(pid) for pid, own, state in rows if int(own) == group and not state.startswith("Z")]


def run(arguments: list[str], seconds: float | None = None) -> subprocess.Popen[bytes]:
    """Run a command in a group of its own, to its end or until it is killed after some time."""
    process = subprocess.Popen(
        [COMMAND, *arguments], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    return process


def prepare(folder: Path) -> None:
    """Write data that keep each command busy for some seconds."""
    draw = random.Random(0)
    rows = (
        f"{draw.choice(('+1', '-1'))} " + " ".join(f"{one}:1" for one in sorted(draw.sample(range(1, 400), 25)))
        for _ in range(2_000)
    )
    (folder / "train.svm").write_text("\n".join(rows) + "\n", encoding="utf-8")
    for number in range(6):
        (folder / f"{number}.txt").write_text("太郎は花子が読んでいる本を次郎に渡した。\n" * 1_500, encoding="utf-8")
    run(["train", "classify", str(folder / "train.svm"), "-o", str(folder / "classifier")])


def main() -> None:
    """Kill commands in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    kills = different = orphaned = half = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        whole: dict[str, tuple[dict[str, str], float]] = {}
        for kind in ("train", "parse", "freeze"):
            made = folder / f"whole-{kind}"
            made.mkdir()
            began = time.monotonic()
            run(commands(folder, made)[kind])
            whole[kind] = results(made), time.monotonic() - began
            print(f"{kind}: {whole[kind][1]:.1f} s, {len(whole[kind][0])} results", flush=True)
        while kills < options.kills:
            kind = ("train", "parse", "freeze")[kills % 3]
            made = folder / f"killed-{kills}"
            made.mkdir()
            process = run(commands(folder, made)[kind], draw.uniform(0.2, 1.0) * whole[kind][1])
            kills += 1
            time.sleep(2)
            orphaned += len(orphans(process.pid))
            half += sum(whole[kind][0].get(file) != digest for file, digest in results(made).items())
            run(commands(folder, made)[kind])
            different += results(made) != whole[kind][0]
            if kills % 6 == 0:
                print(f"  {kills} kills: {half} half, {different} different, {orphaned} alive", flush=True)
    print(
        f"{kills} kills: {half} half-written results, {different} resumed results differ, {orphaned} orphans after 2 s"
    )
    sys.exit(bool(half or different or orphaned))


if __name__ == "__main__":
    main()
