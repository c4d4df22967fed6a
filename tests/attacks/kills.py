"""kill -9 at random moments: nothing is half written, what is resumed is what was not interrupted, no process lives on.

    python tests/attacks/kills.py [--kills 60] [--seed 0]

Commands in turn: `train classify` with a checkpoint, `parse -o` with two processes, `freeze`, and `reproduce
linearization` with two processes. Each is killed after a random part of the time that it takes undisturbed. Whatever
then stands in the folder of results must be whole: readable, and where it is a final result, the one of the undisturbed
run. 2 s later none of its processes may be alive. Then the command is run again in the same folder to its end, and
all results are compared with those of the undisturbed run, byte for byte but for the seconds in `points.json`.
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

from kakari.models.files import ModelFileError, read_model

COMMAND = str(Path(sys.executable).with_name("kakari"))
SECONDS = re.compile(r'"(?:cpu|wall)_seconds": [0-9.e-]+')
GROWING = ("points.json",)  # has more points with each that is done


def commands(folder: Path, made: Path) -> dict[str, list[str]]:
    """Return the commands; results go to `made`."""
    data = str(folder / "train.svm")
    texts = [str(folder / f"{number}.txt") for number in range(6)]
    experiment = [
        "--corpus",
        "sample-en",
        "--test",
        "sample-en",
        "--size",
        "400",
        "--size",
        "2000",
        "--shard-size",
        "500",
    ]
    variants = ["--variant", "mf", "--variant", "etk-2", "--variant", "rke", "--processes", "2"]
    return {
        "train": ["train", "classify", data, "-o", str(made / "model"), "--checkpoint", str(made / "check")],
        "parse": ["parse", "-l", "ja", "-f", "cabocha", "-j", "2", "-o", str(made / "out"), *texts],
        "freeze": ["freeze", str(folder / "classifier"), "-o", str(made / "frozen")],
        "reproduce": ["reproduce", "linearization", "-o", str(made / "curves"), *experiment, *variants],
    }


def results(made: Path) -> dict[str, str]:
    """Return a digest of each file that looks like a result; one that is being written has a name with a dot first."""
    return {
        str(file.relative_to(made)): digest(file)
        for file in sorted(made.rglob("*"))
        if file.is_file() and not file.name.startswith(".") and "check" not in file.parts
    }


def digest(file: Path) -> str:
    """Return a digest of a file, without the seconds that something took."""
    if file.suffix == ".png":
        return "a picture" if is_whole(file) else "half a picture"
    content = file.read_bytes()
    if file.suffix == ".json":
        points = json.loads(SECONDS.sub('"seconds": 0', content.decode()))
        content = json.dumps(sorted(map(json.dumps, points)) if isinstance(points, list) else points).encode()
    return hashlib.sha256(content).hexdigest()


def is_whole(file: Path) -> bool:
    """Say whether a file can be read to its end."""
    if file.suffix == ".json":
        try:
            json.loads(file.read_text("utf-8"))
        except ValueError:
            return False
    elif file.suffix == ".png":
        return file.read_bytes().endswith(b"IEND\xaeB`\x82")
    elif file.suffix in ("", ".safetensors"):
        try:
            read_model(file)
        except ModelFileError:
            return False
    return True


def half_written(made: Path, whole: dict[str, str]) -> list[str]:
    """Return the results that cannot be read, or are final and not those of the undisturbed run."""
    files = [file for file in sorted(made.rglob("*")) if file.is_file() and not file.name.startswith(".")]
    broken = {str(file.relative_to(made)) for file in files if not is_whole(file)}
    wrong = {name for name, own in results(made).items() if Path(name).name not in GROWING and whole.get(name) != own}
    return sorted(broken | wrong)


def alive(group: int) -> list[int]:
    """Return the processes of a group that are alive."""
    told = subprocess.run(["ps", "-eo", "pid=,pgid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in told.splitlines()]
    return [int(pid) for pid, own, state in rows if int(own) == group and not state.startswith("Z")]


def run(arguments: list[str], seconds: float | None = None) -> subprocess.Popen[bytes]:
    """Run a command in a group of its own, to its end or until it is killed after some time."""
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(
            [COMMAND, *arguments], start_new_session=True, stdout=subprocess.DEVNULL, stderr=told
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        if process.returncode not in (0, -signal.SIGKILL):
            told.seek(0)
            raise SystemExit(f"{arguments} ended with {process.returncode}: {told.read().decode()[-2000:]}")
    return process


def prepare(folder: Path) -> None:
    """Write data that keep each command busy for some seconds."""
    draw = random.Random(0)
    rows = (
        f"{draw.choice(('+1', '-1'))} " + " ".join(f"{one}:1" for one in sorted(draw.sample(range(1, 400), 25)))
        for _ in range(4_000)
    )
    (folder / "train.svm").write_text("\n".join(rows) + "\n", encoding="utf-8")
    for number in range(6):
        (folder / f"{number}.txt").write_text("太郎は花子が読んでいる本を次郎に渡した。\n" * 800, encoding="utf-8")
    run(["train", "classify", str(folder / "train.svm"), "-o", str(folder / "classifier")])


def main() -> None:
    """Kill commands in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    kills = ended = different = orphaned = half = number = resumed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        whole: dict[str, tuple[dict[str, str], float]] = {}
        for kind in commands(folder, folder):
            made = folder / f"whole-{kind}"
            made.mkdir()
            began = time.monotonic()
            run(commands(folder, made)[kind])
            whole[kind] = results(made), time.monotonic() - began
            print(f"{kind}: {whole[kind][1]:.1f} s, {len(whole[kind][0])} results", flush=True)
            if not whole[kind][0] or half_written(made, whole[kind][0]):
                raise SystemExit(f"{kind} without a kill: {whole[kind][0]}")
        while kills < options.kills:
            kind = list(whole)[number % len(whole)]
            number += 1
            made = folder / f"killed-{number}"
            made.mkdir()
            process = run(commands(folder, made)[kind], draw.uniform(0.1, 1.0) * whole[kind][1])
            if process.returncode != -signal.SIGKILL:
                ended += 1  # it was faster than the first time
                continue
            kills += 1
            time.sleep(2)
            if living := alive(process.pid):
                print(f"  {kind}: {len(living)} processes live on", flush=True)
            if broken := half_written(made, whole[kind][0]):
                print(f"  {kind}: {', '.join(broken)} half written", flush=True)
            orphaned, half = orphaned + len(living), half + len(broken)
            resumed += any(made.rglob("*"))
            run(commands(folder, made)[kind])
            if results(made) != whole[kind][0]:
                print(f"  {kind}: {sorted(set(results(made).items()) ^ set(whole[kind][0].items()))}", flush=True)
                different += 1
            if kills % 4 == 0:
                print(f"  {kills} kills: {half} half, {different} different, {orphaned} alive", flush=True)
    print(
        f"{kills} kills ({ended} runs had ended before), {resumed} of them left something: {half} half-written "
        f"results, {different} resumed results differ, {orphaned} orphans after 2 s"
    )
    sys.exit(bool(half or different or orphaned))


if __name__ == "__main__":
    main()
