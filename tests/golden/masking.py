"""What of an output is written down: what changes from run to run is masked, what is long is hashed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

LIMIT = 50_000
HEAD_LINES, HEAD_WIDTH, HASHES = 20, 300, 200
REPEATED = 1000  # bytes from which on a stream is not written twice

# What differs from run to run or from place to place, and what is written instead. In this order.
NUMBER = r"-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
TIMES = r"(?:cpu_|wall_|micro)?seconds\w*|\w+_per_second|times_faster|peak_memory_mb"
MASKS = [
    # Figures of time and memory in JSON: numbers, or means and deviations of them.
    (re.compile(rf'"({TIMES})": (?:{NUMBER}|{{"mean": {NUMBER}, "deviation": {NUMBER}}})'), r'"\1": <time>'),
    # The same in a table's cell, where `kakari models show` prints a dict.
    (re.compile(rf"'({TIMES})': {NUMBER}"), r"'\1':  <time>"),
    # The exponent of the time in `reproduce slicing`; elsewhere, growth is a setting.
    (re.compile(rf'"growth": (?:{NUMBER}|null)(?=, "published_seconds")'), '"growth": <time>'),
    # Rows of a table of names and numbers. Its other rows are padded to the longest number: see `masked`.
    (re.compile(rf"^({TIMES}) +{NUMBER} *$", re.MULTILINE), r"\1  <time>"),
    # The version of the package, as printed and in the metadata of models.
    (re.compile(r"^kakari \d+\.\d[\w.+]*$", re.MULTILINE), "kakari <version>"),
    (re.compile(r'(\\?"kakari\\?": \\?")\d+\.\d[\w.+]*(\\?")'), r"\1<version>\2"),
    (re.compile(r"^kakari +\d+\.\d[\w.+]*( *)$", re.MULTILINE), r"kakari  <version>\1"),
    # Folders of absolute paths; the file's name stays.
    (re.compile(r"(?<![\w<>/.:])/(?:[\w.+-]+/)+"), "<path>/"),
    # The frames of an error that nobody caught; its last line stays.
    (re.compile(r"(?<=^Traceback \(most recent call last\):\n)(?: .*\n)+", re.MULTILINE), ""),
    # The names that displaCy draws by lot.
    (re.compile(r"\b[0-9a-f]{32}(?=-\d)"), "<id>"),
    # What matplotlib says once a machine.
    (re.compile(r"^Matplotlib is building the font cache.*\n", re.MULTILINE), ""),
]
PADDED = ("  <time>", "  <version>", "<path>/")  # in tables, spaces stand beside them according to their length
DECIMAL = re.compile(r"-?\d[\d,]*\.\d+")  # in cases marked `loose`: tables with columns of times among others


def content_of(path: Path) -> bytes:
    """Tell what a file holds: its text; of a model, metadata and arrays' hashes; of anything else, its hash."""
    content = path.read_bytes()
    if path.suffix == ".png":
        return b"a picture" if content.startswith(b"\x89PNG") else b"no picture"
    if content[8:10] == b'{"':
        size = int.from_bytes(content[:8], "little")
        header, data = json.loads(content[8 : 8 + size]), content[8 + size :]
        lines = [f"{key}: {value}" for key, value in sorted(header.pop("__metadata__", {}).items())]
        for name, entry in sorted(header.items()):
            told = hashlib.sha256(data[slice(*entry["data_offsets"])]).hexdigest()[:16]
            lines.append(f"{name} {entry['dtype']} {entry['shape']} {told}")
        return "\n".join([*lines, ""]).encode()
    if b"\0" in content:
        return f"{len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()}".encode()
    return content


def masked(text: str, loose: bool) -> str:
    """Replace what need not be the same; in a table whose numbers were masked, the widths of columns as well."""
    for pattern, instead in MASKS:
        text = pattern.sub(instead, text)
    if loose:
        text = DECIMAL.sub("<number>", text)
    if loose or any(mask in text for mask in PADDED):
        text = re.sub(r" {2,}", "  ", re.sub(r" +$", "", text, flags=re.MULTILINE))
    return text


def shortened(text: str) -> Iterator[str]:
    """Yield the beginning of a long text, then hashes of all its lines, a few lines each, so that one sees where."""
    lines = text.split("\n")
    yield from (line[:HEAD_WIDTH] for line in lines[:HEAD_LINES])
    step = -(-len(lines) // HASHES)
    for begin in range(0, len(lines), step):
        told = hashlib.sha256("\n".join(lines[begin : begin + step]).encode()).hexdigest()
        yield f"(lines {begin + 1} to {min(begin + step, len(lines))}: sha256 {told[:16]})"
