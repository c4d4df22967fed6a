"""What version 0.1 did wrong with Japanese, line by line, seen through the command line alone.

    python tests/golden/japanese_lines.py --python PYTHON [--packages FOLDER]

Run with the interpreter of any version of kakari (`--packages`: a folder with another kakari, put before the others).
Prints a row for each check, and ends with 1 if one fails; a version that lacks a command or an option fails its check.
"""
# ruff: noqa: T201 (it is a program)

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

IPADIC = """* 0 1D 0/0 0.000000
静か\t名詞,形容動詞語幹,*,*,*,*,静か,シズカ,シズカ
な\t助動詞,*,*,*,特殊・ダ,体言接続,だ,ナ,ナ
* 1 -1D 0/0 0.000000
海\t名詞,一般,*,*,*,*,海,ウミ,ウミ
を\t助詞,格助詞,一般,*,*,*,を,ヲ,ヲ
見\t動詞,自立,*,*,一段,連用形,見る,ミ,ミ
て\t助詞,接続助詞,*,*,*,*,て,テ,テ
い\t動詞,非自立,*,*,一段,連用形,いる,イ,イ
た\t助動詞,*,*,*,特殊・タ,基本形,た,タ,タ
。\t記号,句点,*,*,*,*,。,。,。
EOS
"""
GSD = """#! DOCID\t1
* 0 1D 0/1 0.000000
太郎\t名詞,固有名詞,人名,名,*,*,タロウ,タロウ,太郎,タロー,太郎
は\t助詞,係助詞,*,*,*,*,ハ,は,は,ワ,は
* 1 -1Z 0/0 0.000000
読む\t動詞,一般,*,*,五段-マ行,終止形-一般,ヨム,読む,読む,ヨム,読む
EOS
"""
JUMAN = """本 ほん 本 名詞 6 普通名詞 1 * 0 * 0 NIL
を を を 助詞 9 格助詞 1 * 0 * 0 NIL
読んだ よんだ 読む 動詞 2 * 0 子音動詞マ行 9 タ形 10 NIL
EOS
"""
Run = Callable[..., str]


def columns(written: str) -> list[list[str]]:
    """Return CaboCha's bunsetsu lines in pieces."""
    return [line.split() for line in written.splitlines() if re.match(r"\* \d", line)]


def bunsetsu_texts(written: str) -> list[str]:
    """Return the text of each bunsetsu of CaboCha's format."""
    found: list[str] = []
    for line in written.splitlines():
        if re.match(r"\* \d", line):
            found.append("")
        elif "\t" in line:
            found[-1] += line.split("\t")[0]
    return found


def content_words(run: Run) -> bool:
    """1. The content word of 読んでいる is 読む, of 食べてしまった 食べる, of 静かである 静か."""
    texts = ("本を読んでいる。", "全部食べてしまった。", "海は静かである。")
    return all(columns(run("parse", "-f", "cabocha", text))[-1][3].startswith("0/") for text in texts)


def universal_dependencies(run: Run) -> bool:
    """2. CoNLL-U has parts of speech and relations, and the text with its spaces."""
    written = run("parse", "-f", "conllu", "太郎は 本を読んだ。")
    rows = [line.split("\t") for line in written.splitlines() if re.match(r"\d+\t", line)]
    relations = {row[7] for row in rows}
    return "# text = 太郎は 本を読んだ。" in written and {"nsubj", "obj", "root"} <= relations and rows[0][3] != "_"


def sentences(run: Run) -> bool:
    """3. URLs and names are not cut, quotations are."""
    wanted = {"http://a.jp/x?b=1を見た。": 1, "Yahoo!ニュースを見た。": 1, "「行く。」「来る。」": 2}
    return all(run("parse", "-f", "cabocha", text).count("EOS") == count for text, count in wanted.items())


def ipadic(run: Run) -> bool:
    """4. IPADIC's words are analysed as the text is."""
    written = run("parse", "-f", "cabocha", file=("x.cabocha", IPADIC))
    found = [(text, *row[2:4]) for text, row in zip(bunsetsu_texts(written), columns(written), strict=True)]
    return found == [("静かな", "1D", "0/1"), ("海を", "2D", "0/1"), ("見ていた。", "-1D", "0/3")]


def knp_that_begins_with_a_hash(run: Run) -> bool:
    """5. KNP of a text that begins with # is read again."""
    written = run("parse", "-f", "knp", "# を見た。")
    return "見た" in run("parse", file=("x.knp", written))


def pictures(run: Run) -> bool:
    """5. Two sentences in one SVG are XML."""
    ElementTree.fromstring(run("parse", "-f", "svg", "本を読む。海を見る。"))
    return True


def commas(run: Run) -> bool:
    """5. 3,000 keeps its base form and reading in CaboCha's format."""
    written = run("parse", "-f", "cabocha", "3,000円を払った。")
    again = run("parse", "-f", "cabocha", file=("x.cabocha", written))
    row = next(line for line in again.splitlines() if line.startswith("3,000"))
    return row.split("\t")[1].count("3") + row.split("\t")[1].count("サン") >= 1 and written == again


def scores(run: Run) -> bool:
    """6. Scores of arcs are not 0; those of forced arcs are 1."""
    rows = columns(run("parse", "-f", "cabocha", "太郎は花子が読んでいる本を次郎に渡した。"))
    found = [float(row[4]) for row in rows[:-1]]
    return all(0 < score <= 1 for score in found) and found[-1] == 1


def explanations(run: Run) -> bool:
    """7. Every arc is explained, also that of the last but one."""
    return "D_PUNCTUATION" in run("explain", "太郎は本を読んだ。")


def lines_of_the_input(run: Run) -> bool:
    """8. Empty lines are empty sentences, and JSON says where a sentence stood."""
    text = "本を読む。\n\n海を見る。\n"
    written = run("parse", "--one-sentence-per-line", "-f", "cabocha", stdin=text)
    told = [json.loads(line) for line in run("parse", "--one-sentence-per-line", "-f", "json", stdin=text).splitlines()]
    places = [(one["line"], one["start"], one["end"]) for one in told if one["end"] > one["start"]]
    return written.count("EOS") == 3 and places == [(1, 0, 5), (3, 7, 12)]


def english_trees(run: Run) -> bool:
    """9. -f ptb is refused for Japanese."""
    try:
        run("parse", "-f", "ptb", "本を読む。")
    except subprocess.CalledProcessError as error:
        return error.returncode in (1, 2) and "Traceback" not in error.stderr
    return False


def files_of_gsd(run: Run) -> bool:
    """10. GSD's files are read."""
    return "太郎は" in run("parse", file=("x.cabocha", GSD))


def words_of_juman(run: Run) -> bool:
    """10. JUMAN's output without lines of bunsetsu is read."""
    return bunsetsu_texts(run("parse", "-f", "cabocha", file=("x.knp", JUMAN))) == ["本を", "読んだ"]


CHECKS = (
    content_words,
    universal_dependencies,
    sentences,
    ipadic,
    knp_that_begins_with_a_hash,
    pictures,
    commas,
    scores,
    explanations,
    lines_of_the_input,
    english_trees,
    files_of_gsd,
    words_of_juman,
)


def runner(python: str, packages: str | None, folder: Path) -> Run:
    """Return what runs `kakari ARGUMENTS [FILE]` and returns what it prints."""
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    if packages:
        environment["PYTHONPATH"] = packages

    def run(*arguments: str, stdin: str = "", file: tuple[str, str] | None = None) -> str:
        given = list(arguments)
        if file is not None:
            (folder / file[0]).write_text(file[1], encoding="utf-8")
            given.append(str(folder / file[0]))
        command = [python, "-P", "-m", "kakari", *given]
        done = subprocess.run(
            command, input=stdin, capture_output=True, text=True, check=True, env=environment, cwd=folder
        )
        return done.stdout

    return run


def main() -> int:
    """Run every check."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--packages")
    asked = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        run = runner(asked.python, asked.packages, Path(folder))
        for check in CHECKS:
            try:
                right, why = check(run), ""
            except subprocess.CalledProcessError as error:
                right, why = False, f" ({(error.stderr.strip().splitlines() or ['nothing said'])[-1][:100]})"
            except (ValueError, IndexError, KeyError, StopIteration, ElementTree.ParseError) as error:
                right, why = False, f" ({type(error).__name__})"
            failed += not right
            print(f"{'right' if right else 'WRONG'}  {check.__doc__}{why}", flush=True)
    print(f"{len(CHECKS) - failed} of {len(CHECKS)} right")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
