"""The server beside the command line: start, one sentence, batches, and many clients at once. Only 127.0.0.1.

    python benchmarks/serve.py [--requests 1000] [--clients 32] [--browser] [--workers 1]

Starts a server, measures, ends it; at most `--seconds` in all. The table has the time from the start of the process to
the first answer; the server's time for one sentence with everything that the page asks for; sentences a second of the
API in batches of 100, and of `kakari parse -f json` on the same sentences without its start; then `--requests` requests
by `--clients` clients: errors, the 50th and 99th percentile, and the server's memory at each quarter. With `--browser`,
the time from the request to the finished picture in Chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from typing import Any

KAKARI = str(Path(sys.executable).with_name("kakari"))
JSON = {"Content-Type": "application/json"}
JAPANESE = "太郎は花子が読んでいる本を次郎に渡した。"
ENGLISH = "Who wrote the letter that Mary sent to the president?"
PAGE = {"include": ["universal", "dependencies", "chunks", "question", "pictures"], "alternatives": 5}


def post(
    port: int, path: str, body: object, connection: HTTPConnection | None = None
) -> tuple[int, dict[str, str], bytes]:
    own = connection or HTTPConnection("127.0.0.1", port, timeout=60)
    own.request("POST", path, json.dumps(body), JSON)
    answer = own.getresponse()
    read = answer.status, dict(answer.getheaders()), answer.read()
    if connection is None:
        own.close()
    return read


def start(workers: int) -> tuple[subprocess.Popen[str], int, float, float]:
    """Start a server; return it, its port, and the seconds until its first answer, by the clock and of CPU."""
    begun = time.perf_counter()
    command = [KAKARI, "serve", "--port", "0", "--read-only", "--workers", str(workers)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert server.stdout is not None
    port = int(server.stdout.readline().strip().rstrip("/").rpartition(":")[2])
    status, _, _ = post(port, "/api/parse", {"text": JAPANESE})
    assert status == 200
    return server, port, time.perf_counter() - begun, cpu_seconds(server.pid)


def end(server: subprocess.Popen[str]) -> None:
    server.send_signal(signal.SIGTERM)
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def memory(pid: int) -> float:
    """Return the megabytes of a process and its children."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text("utf-8")
            own = int(status.parent.name) == pid or f"\nPPid:\t{pid}\n" in text
            if own and "VmRSS:" in text:
                total += int(text.split("VmRSS:")[1].split()[0])
        except OSError:  # it has ended
            continue
    return total / 1000


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def sentences(count: int) -> list[str]:
    """Return sentences of kwdlc:train, or of the sample where that is not there."""
    from kakari.corpora import catalogue

    name = "kwdlc:train" if catalogue.find("kwdlc") is not None else "sample-ja"
    found = [record.text for record in islice(catalogue.read(name), count)]
    return (found * (count // len(found) + 1))[:count]


def one_sentence(port: int, text: str) -> float:
    """Return the median of the server's milliseconds for a sentence of the page."""
    times = []
    for _ in range(30):
        _, headers, _ = post(port, "/api/parse", {"text": text, **PAGE})
        times.append(float(headers["server-timing"].partition("dur=")[2]))
    return statistics.median(times)


def batches(server: subprocess.Popen[str], port: int, texts: list[str]) -> tuple[float, float]:
    """Return sentences a CPU second and a second of the API in batches of 100."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    post(port, "/api/parse", {"texts": texts[:100], "language": "ja"}, connection)
    cpu, wall, found = cpu_seconds(server.pid), time.perf_counter(), 0
    for place in range(0, len(texts), 100):
        _, _, body = post(port, "/api/parse", {"texts": texts[place : place + 100], "language": "ja"}, connection)
        found += body.count(b'"bunsetsu"')
    connection.close()
    return found / (cpu_seconds(server.pid) - cpu), found / (time.perf_counter() - wall)


def command_line(texts: list[str]) -> tuple[float, float]:
    """Return the same of the command line, the time of an empty input taken off."""
    with tempfile.TemporaryDirectory() as folder:
        file, empty = Path(folder, "texts.txt"), Path(folder, "empty.txt")
        file.write_text("\n".join(texts) + "\n", "utf-8")
        empty.write_text(f"{JAPANESE}\n", "utf-8")
        spent = []
        for given in (empty, file):
            before, wall = os.times(), time.perf_counter()
            run = subprocess.run(
                [KAKARI, "parse", "-l", "ja", "-f", "json", str(given)], capture_output=True, check=True
            )
            after = os.times()
            cpu = after.children_user + after.children_system - before.children_user - before.children_system
            spent.append((cpu, time.perf_counter() - wall, run.stdout.count(b'"bunsetsu"')))
    found = spent[1][2] - spent[0][2]
    return found / (spent[1][0] - spent[0][0]), found / (spent[1][1] - spent[0][1])


def load(
    server: subprocess.Popen[str], port: int, requests: int, clients: int, texts: list[str], until: float
) -> dict[str, Any]:
    """Send requests by clients that each wait for their answers."""
    times: list[float] = []
    errors: list[str] = []
    held: list[float] = []
    lock = threading.Lock()
    left = iter(range(requests))

    def client() -> None:
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        while time.perf_counter() < until:
            with lock:
                number = next(left, None)
                if number is not None and number % max(1, requests // 4) == 0:
                    held.append(round(memory(server.pid)))
            if number is None:
                break
            text = ENGLISH if number % 4 == 0 else texts[number % len(texts)]
            begun = time.perf_counter()
            try:
                status, _, body = post(port, "/api/parse", {"text": text, **PAGE}, connection)
                if status != 200 or b'"sentences"' not in body:
                    errors.append(f"{status} {body[:100]!r}")
            except OSError as error:
                errors.append(str(error))
                connection.close()
            times.append(time.perf_counter() - begun)
        connection.close()

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    held.append(round(memory(server.pid)))
    ranked = sorted(times)
    return {
        "answered": len(times),
        "errors": errors,
        "p50": ranked[len(ranked) // 2],
        "p99": ranked[min(len(ranked) - 1, int(len(ranked) * 0.99))],
        "memory": held,
    }


def in_browser(port: int) -> dict[str, float]:
    """Return the median milliseconds from the request to the picture in Chromium."""
    import shutil

    from playwright.sync_api import sync_playwright

    told = {}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("#examples button")
        for name, text in (("ja", JAPANESE), ("en", ENGLISH)):
            for number in range(11):
                page.fill("#text", text)
                page.click("button[type=submit]")
                while page.evaluate("performance.getEntriesByName('kakari-shown').length") <= number:
                    time.sleep(0.01)  # the page's policy allows no waiting inside it
            entries = page.evaluate("performance.getEntriesByName('kakari-shown').map(one => one.duration)")
            told[name] = statistics.median(entries[1:])
            page.evaluate("performance.clearMeasures()")
        browser.close()
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=1_000)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--sentences", type=int, default=5_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--browser", action="store_true")
    options = parser.parse_args()
    until = time.perf_counter() + options.seconds
    texts = sentences(options.sentences)
    starts = []
    for _ in range(2):
        server, _, *seconds = start(options.workers)
        end(server)
        starts.append(seconds)
    server, port, *seconds = start(options.workers)
    try:
        wall, cpu = (min(times) for times in zip(*starts, seconds, strict=True))
        print(f"start to first answer        {wall:.2f} s, {cpu:.2f} CPU seconds (best of 3)")
        for text in (JAPANESE, ENGLISH):
            post(port, "/api/parse", {"text": text, **PAGE})
        ja, en = one_sentence(port, JAPANESE), one_sentence(port, ENGLISH)
        print(f"one sentence, server         ja {ja:.1f} ms, en {en:.1f} ms")
        if options.browser:
            shown = in_browser(port)
            print(f"one sentence, browser        ja {shown['ja']:.0f} ms, en {shown['en']:.0f} ms")
        own, other = batches(server, port, texts), command_line(texts)
        print(f"batches of 100, API          {own[0]:,.0f} sentences a CPU second, {own[1]:,.0f} a second")
        print(f"kakari parse -f json         {other[0]:,.0f} sentences a CPU second, {other[1]:,.0f} a second")
        print(f"ratio                        {own[0] / other[0]:.2f} by CPU, {own[1] / other[1]:.2f} by the clock")
        told = load(server, port, options.requests, options.clients, texts, until)
        errors = told["errors"]
        print(f"{told['answered']} requests, {options.clients} clients    {len(errors)} errors {errors[:3]}")
        print(f"                             p50 {told['p50'] * 1000:.0f} ms, p99 {told['p99'] * 1000:.0f} ms")
        print(f"memory at each quarter       {told['memory']} MB")
    finally:
        end(server)


if __name__ == "__main__":
    main()
