"""The page in a real browser, in both languages: type, see, click a reason, correct, undo, save; and accessibility."""

import json
import os
import re
import shutil
import signal
import subprocess
import urllib.parse
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_line import COMMAND

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here: apt-get install chromium"),
]
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

JAPANESE = "太郎は花子が読んでいる本を次郎に渡した。"
WRONG = "昨日買った本を読む。"
ENGLISH = "Who wrote the letter that Mary sent to the president?"
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script> 本を読む。"
VIEWS = {
    JAPANESE: ["stairs", "arcs", "words", "universal"],
    ENGLISH: ["constituents", "dependencies", "predicates", "chunks", "question"],
}


@contextmanager
def serving(*options):
    """A server in a process of its own; its address."""
    process = subprocess.Popen(
        [COMMAND, "serve", "--port", "0", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process.stdout.readline().strip()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving("--corrections", str(tmp_path_factory.mktemp("served") / "mine")) as found:
        yield found


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        # Root in a container has no sandbox to start.
        own = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        started = driver.chromium.launch(executable_path=CHROMIUM, args=own)
        yield started
        started.close()


@pytest.fixture
def page(browser, address):
    with opened(browser, address) as made:
        yield made


@contextmanager
def opened(browser, url, *, expected=None, **options):
    """A page that must not complain: no error, no message of the content security policy, no dialog, no other host."""
    context = browser.new_context(**{"locale": "en-US", "viewport": {"width": 1280, "height": 900}, **options})
    page = context.new_page()
    page.set_default_timeout(20_000)
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
    page.on(
        "request",
        lambda request: (
            complaints.append(request.url)
            if not request.url.startswith((url.partition("#")[0], "blob:", "data:"))
            else None
        ),
    )
    page.goto(url)
    page.wait_for_selector("#examples button")
    yield page
    context.close()
    assert [one for one in complaints if expected is None or expected not in one] == []


def type_text(page, text):
    page.fill("#text", text)
    shown = page.locator(".sentence h2", has_text=text.strip()[:12]).first
    shown.wait_for()
    playwright.expect(page.locator("#status")).to_contain_text(re.compile(r"server|サーバー"))


def view(page, name):
    page.click(f"[data-view={name}]")
    page.wait_for_selector(f"[data-view={name}][aria-selected=true]")


def weights(page, selector):
    return [float(text.replace("−", "-")) for text in page.locator(selector).all_inner_texts()]


def check_sums(page, title):
    """The bars of the panel are about what was clicked; each list ends where its sum does."""
    playwright.expect(page.locator(".reasons")).to_contain_text(title)
    for place in range(page.locator(".reasons .bars").count()):
        numbers = weights(page, f".reasons .bars >> nth={place} >> .number")
        assert len(numbers) > 1 and sum(numbers[:-1]) == pytest.approx(numbers[-1], abs=0.02)
        fills = page.locator(f".reasons .bars >> nth={place} >> .fill").evaluate_all(
            "all => all.slice(-2).map(one => one.getBoundingClientRect()).map(box => [box.left, box.right])"
        )
        ends = [side for box in fills for side in box]
        assert min(abs(ends[2] - side) for side in ends[:2]) < 4 or min(abs(ends[3] - side) for side in ends[:2]) < 4


def saved(page, name):
    with page.expect_download() as waiting:
        page.locator(".tools select").first.select_option(name)
    return Path(waiting.value.path()).read_bytes()


def test_japanese_is_shown_with_reasons(page):
    type_text(page, JAPANESE)
    assert page.locator(".sentence svg .link").count() == 5
    assert page.locator(".sentence svg .word").first.text_content().strip() == "太郎は"
    label = page.locator(".sentence svg .link").first.get_attribute("aria-label")
    assert re.fullmatch(r"太郎は leans on 渡した。, \d+ %", label)
    page.locator(".link .kind").nth(1).click()
    check_sums(page, "花子が → 読んでいる")
    page.click(".reasons .close")
    assert page.locator(".reasons").is_hidden()
    for name in VIEWS[JAPANESE]:
        view(page, name)
        assert page.locator(".panel svg, .panel table").count() == 1
    view(page, "words")
    page.locator(".cut").nth(1).click()  # 花子
    check_sums(page, "は|花子")


def test_the_keyboard_alone_is_enough(page):
    type_text(page, JAPANESE)
    page.locator(".sentence svg .link").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.from") == "1"
    page.keyboard.press("Enter")
    page.wait_for_selector(".reasons .sum")
    page.locator("[data-view=stairs]").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-view=arcs]").get_attribute("aria-selected") == "true"


def test_alternatives_are_flipped_through(page):
    type_text(page, JAPANESE)
    assert "1 / 5" in page.inner_text(".flip")
    page.click(".flip button >> nth=1")
    assert "2 / 5" in page.inner_text(".flip") and "%" in page.inner_text(".flip")
    assert page.locator("svg .differs").count() >= 1


def test_a_correction_is_dragged_learned_kept_and_undone(page):
    type_text(page, WRONG)
    view(page, "arcs")
    before = page.locator(".link").evaluate_all("links => links.map(link => link.dataset.to)")
    assert before[0] == "1"
    page.click(".toggle")
    start, end = (page.locator(".word .box").nth(place).bounding_box() for place in (0, 3))
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=6)
    page.mouse.up()
    assert "昨日 → 読む。" in page.inner_text(".waiting")
    page.click(".learn")
    playwright.expect(page.locator(".report .good").first).to_contain_text("right now")
    page.click(".keep")
    page.wait_for_selector("#history li")
    page.wait_for_selector(".link[data-from='0'][data-to='3']")
    page.click(".undo")
    page.wait_for_selector(".link[data-from='0'][data-to='1']")
    assert page.locator("#history").is_hidden()


def test_a_correction_by_keyboard_and_a_boundary(page):
    type_text(page, WRONG)
    page.click(".toggle")
    page.locator(".word").nth(0).focus()
    page.keyboard.press("Enter")
    page.locator(".word").nth(3).focus()
    page.keyboard.press("Enter")
    assert "昨日 → 読む。" in page.inner_text(".waiting")
    page.locator(".waiting button").click()
    assert page.locator(".waiting").count() == 0
    page.locator(".cuts button").first.click()
    assert "昨日+買った" in page.inner_text(".waiting")


def test_english_is_corrected_and_undone(page):
    type_text(page, ENGLISH)
    for name, choose, shown in (
        ("question", lambda: page.select_option(".edit select", "HUM:gr"), "HUM:gr"),
        ("predicates", lambda: page.locator(".roles select").first.select_option("ARG1"), "wrote: Who ARG1"),
        ("dependencies", lambda: choose_words(page, 7, 3), "to → letter"),
    ):
        view(page, name)
        if page.locator(".toggle").get_attribute("aria-pressed") != "true":
            page.click(".toggle")
        choose()
        assert shown in page.inner_text(".waiting")
        page.click(".learn")
        page.wait_for_selector(".report .good")
        assert "right now" in page.inner_text(".report .good >> nth=0")
        page.click(".keep")
        page.wait_for_selector("#history li")
        playwright.expect(page.locator(".report")).to_have_count(0)
        page.click(".undo")
        playwright.expect(page.locator("#history")).to_be_hidden()
        page.wait_for_selector(".sentence h2")


def choose_words(page, first, second):
    for place in (first, second):
        page.locator(".word").nth(place).focus()
        page.keyboard.press("Enter")


def test_a_file_is_dropped(page):
    data = page.evaluate_handle(
        "() => { const all = new DataTransfer();"
        " all.items.add(new File(['本を読む。'], 'a.txt', {type: 'text/plain'})); return all; }"
    )
    page.dispatch_event("#ask", "dragenter", {"dataTransfer": data})
    assert page.locator(".drop").is_visible()
    page.dispatch_event("#ask", "drop", {"dataTransfer": data})
    page.wait_for_selector(".sentence svg")
    assert page.input_value("#text") == "本を読む。" and page.locator(".drop").is_hidden()


def test_japanese_is_saved_in_every_format(page):
    type_text(page, JAPANESE)
    assert saved(page, "SVG").startswith(b"<svg") and b"stroke=" in saved(page, "SVG")
    assert saved(page, "PNG").startswith(b"\x89PNG") and len(saved(page, "PNG")) > 3_000
    assert json.loads(saved(page, "json"))["bunsetsu"][0]["text"] == "太郎は"
    assert saved(page, "conllu").startswith(b"# sent_id = 1")
    assert saved(page, "cabocha").startswith(b"* 0 5D")
    assert saved(page, "knp").rstrip().endswith(b"EOS")


def test_english_is_shown_with_reasons_and_saved(page):
    type_text(page, ENGLISH)
    assert page.inner_text(".badge") == "HUM:ind"
    view(page, "constituents")
    assert page.locator("svg .node").count() > 5
    page.locator(".node[data-label=NP] .label").first.click()
    check_sums(page, "join to NP")
    page.click(".flip button >> nth=1")
    assert "2 / 5" in page.inner_text(".flip") and page.locator("svg .node.differs").count() >= 1
    page.click(".flip button >> nth=0")
    assert saved(page, "ptb").startswith(b"(TOP ")
    assert saved(page, "PNG").startswith(b"\x89PNG")
    view(page, "dependencies")
    assert "nsubj" in page.text_content(".panel svg")
    page.locator(".link[data-from='8'] .kind").click()  # the president
    check_sums(page, "the arc alone")
    page.click(".flip button >> nth=1")
    assert "2 / " in page.inner_text(".flip")
    view(page, "predicates")
    assert "ARG0" in page.inner_text(".frames")
    page.locator(".argument .role").first.click()
    page.wait_for_selector(".reasons .sum")
    view(page, "chunks")
    assert page.locator(".chunk").count() >= 4
    view(page, "question")
    page.click(".shares button")
    check_sums(page, "HUM:ind before")


def test_text_is_text(page):
    type_text(page, HOSTILE)
    assert HOSTILE in page.inner_text(".sentence h2")
    assert page.locator("#results img, #results script").count() == 0
    for name in ("arcs", "words", "universal"):
        view(page, name)


def test_a_link_carries_the_text(page, browser, address):
    type_text(page, ENGLISH)
    page.click("#link")
    playwright.expect(page).to_have_url(re.compile("#.*text="))
    url = page.evaluate("location.href")
    assert urllib.parse.parse_qs(urllib.parse.urlparse(url).fragment)["text"] == [ENGLISH]
    with opened(browser, url) as other:
        other.wait_for_selector(".sentence svg")
        assert other.input_value("#text") == ENGLISH


def test_a_file_is_read(page, tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("行く。来る。" * 15, "utf-8")
    page.set_input_files("#file", file)
    page.wait_for_selector("#more")
    assert page.locator(".sentence").count() == 20
    page.click("#more")
    playwright.expect(page.locator(".sentence")).to_have_count(30)


def test_what_is_refused_is_told(browser, address):
    with opened(browser, address, expected="413") as page:
        page.fill("#text", "本" * 200_001)
        page.click("button[type=submit]")
        playwright.expect(page.locator("#status.problem")).to_contain_text("at most 200,000 characters")


def test_a_token_comes_with_the_address(browser):
    with serving("--token", "geheim", "--read-only") as address:
        assert address.endswith("#token=geheim")
        with opened(browser, address) as page:
            assert "token" not in page.evaluate("location.href")
            type_text(page, JAPANESE)
            assert page.locator(".toggle").is_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_nothing_stands_in_anybodys_way(browser, address, scheme, locale):
    from axe_playwright_python.sync_playwright import Axe

    with opened(browser, address, color_scheme=scheme, locale=locale) as page:
        found = [("start", serious(Axe(), page))]
        for text, names in VIEWS.items():
            type_text(page, text)
            for name in names:
                view(page, name)
                if name in ("stairs", "question", "constituents", "dependencies"):
                    page.locator(".link, .node, .shares button").first.press("Enter")
                    page.wait_for_selector(".reasons .sum")
                if name == "stairs":
                    page.click(".toggle")
                found.append((name, serious(Axe(), page)))
        page.goto(f"{address}static/api.html")
        page.wait_for_selector("article")
        found.append(("api", serious(Axe(), page)))
        assert [one for one in found if one[1]] == []


def serious(axe, page):
    """Return the findings that keep somebody from using the page."""
    found = axe.run(page).response["violations"]
    return [
        (one["id"], [node["html"][:120] for node in one["nodes"][:3]])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
