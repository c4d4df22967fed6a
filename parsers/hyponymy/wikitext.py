r"""Wikitext to plain lines: links, templates, references, comments and HTML resolved, the line marks kept.

Everything is done with regular expressions that cannot run back over what they matched (possessive quantifiers, and
bodies that end at the next delimiter of any kind), so that one pass costs time linear in the text, whatever the text
is: a megabyte of `{{` is as cheap as a megabyte of prose. Links and templates nest; the innermost are replaced first,
at most `DEEPEST` times, MediaWiki's own limit. What is unbalanced after that loses its delimiters and stays as text.

The text of a link stands between LINK and LINK_END in the result, since it matters whether an item is a link.
"""

from __future__ import annotations

import html
import re
import sys

LINK, LINK_END = "\x02", "\x03"
DEEPEST = 40

_CONTROLS = {code: None for code in range(32) if chr(code) not in "\t\n"}


def _compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern; Python 3.10 has no possessive quantifiers and finds the same, if not always in linear time."""
    return re.compile(pattern if sys.version_info >= (3, 11) else re.sub(r"(?<!\\)([*+])\+", r"\1", pattern), flags)


_COMMENT = _compiled(r"<!--(?:.*?-->|.*)", re.DOTALL)
_DROPPED = (
    "ref|references|math|chem|gallery|timeline|source|syntaxhighlight|code|score|imagemap|includeonly|graph|mapframe"
    "|templatestyles|hiero|inputbox"
)
_ELEMENT = _compiled(
    rf"<({_DROPPED})\b[^<>]*+>(?:(?<=/>)|[^<]*+(?:<(?!/?\1\b)[^<]*+)*+</\1\s*>|)", re.IGNORECASE | re.DOTALL
)
_NOWIKI = _compiled(r"<nowiki\b[^<>]*+>(?:(?<=/>)|([^<]*+(?:<(?!/?nowiki\b)[^<]*+)*+)</nowiki\s*>|)", re.IGNORECASE)
# A body without double delimiters of either kind, then one that stops at its own kind only, for unbalanced text.
_STRICT = r"[^\[\]{}]*+(?:(?:\[(?!\[)|\](?!\])|\{(?!\{)|\}(?!\}))[^\[\]{}]*+)*+"
_INNERMOST = _compiled(rf"\[\[({_STRICT})\]\]|\{{\{{({_STRICT})\}}\}}")
_LENIENT_TEMPLATE = _compiled(r"\{\{([^{}]*+(?:(?:\{(?!\{)|\}(?!\}))[^{}]*+)*+)\}\}")
_LENIENT_LINK = _compiled(r"\[\[([^\[\]\n]*+)\]\]")
_LEFT_OVER = _compiled(r"\[\[|\]\]|\{\{+|\}\}+|'{2,5}|__[A-Z]{3,}__|-\{|\}-")
_EXTERNAL = _compiled(r"\[(?:[a-z]{3,6}:)?//[^\s\[\]]++(?:[ \t]++([^\[\]\n]*+))?\]")
_TAG = _compiled(r"</?[a-zA-Z][^<>]*+>")
_BREAK = _compiled(r"<br\b[^<>]*+>", re.IGNORECASE)
_BARE = _compiled(r"https?://[^\s<>\[\]|]++")

_DROPPED_SPACES = _compiled(
    r"\s*(?:file|image|media|ファイル|画像|category|カテゴリ|[a-z]{2,3}|[a-z]{2,3}-[a-z-]{2,12}|simple)\s*:",
    re.IGNORECASE,
)
_REDIRECT = _compiled(r"\s*#(?:REDIRECT|転送|リダイレクト)\s*:?\s*\[\[", re.IGNORECASE)
_LIST_LINE = _compiled(r"^[*#;:]", re.MULTILINE)

# Templates that print one of their arguments: its number (0 is the first), -1 for the last.
PRINTED = {
    "仮リンク": 0,
    "日本語版にない記事リンク": 0,
    "ill": 0,
    "enlink": 0,
    "要出典範囲": 0,
    "独自研究範囲": 0,
    "いつ範囲": 0,
    "要検証範囲": 0,
    "ルビ": 0,
    "ruby": 0,
    "読み仮名": 0,
    "flag": 0,
    "flagcountry": 0,
    "nowrap": 0,
    "small": 0,
    "smaller": 0,
    "larger": 0,
    "big": 0,
    "center": 0,
    "nastaliq": 0,
    "unicode": 0,
    "jis2004フォント": 0,
    "補助漢字フォント": 0,
    "lang": 1,
    "rtl-lang": 1,
    "llang": 1,
    "transl": -1,
    "color": -1,
    "weight": 1,
    "fontsize": -1,
    "font": -1,
    "読み仮名_ruby不使用": 0,
}


def is_redirect(text: str) -> bool:
    """Return whether an article only points to another.

    Examples
    --------
    >>> is_redirect("#REDIRECT [[日本]]"), is_redirect("#転送 [[日本]]"), is_redirect("# 一番")
    (True, True, False)
    """
    return _REDIRECT.match(text) is not None


def plain_lines(text: str) -> list[str]:
    r"""Return the lines of an article without inline markup; list, heading and table marks stay at their beginning.

    Examples
    --------
    >>> plain_lines("== 都市 ==\n* [[東京都|東京]]<ref>典拠</ref>{{要出典}} - '''首都'''")
    ['== 都市 ==', '* \x02東京\x03 - 首都']
    """
    text = text.translate(_CONTROLS)
    text = _COMMENT.sub("", text)
    text = _NOWIKI.sub(_escaped, text)
    text = _ELEMENT.sub("", text)
    text = _without_nesting(text)
    text = _EXTERNAL.sub(_label, text)
    text = _BARE.sub("", text)
    text = _BREAK.sub(" ", text)
    text = _TAG.sub("", text)
    text = _LEFT_OVER.sub("", text)
    return [html.unescape(line) if "&" in line else line for line in text.split("\n")]


def _without_nesting(text: str) -> str:
    for _ in range(DEEPEST):
        text, replaced = _INNERMOST.subn(_resolved, text)
        if not replaced:
            break
    if "{{" in text:
        text = _LENIENT_TEMPLATE.sub(_template_match, text)
    if "[[" in text:
        text = _LENIENT_LINK.sub(_link_match, text)
    return text


def _escaped(match: re.Match[str]) -> str:
    """Hide markup that is to be shown as it is: its first characters become entities."""
    shown = match[1] or ""
    return re.sub(r"[\[\]{}'|=*#:;<>!]", lambda mark: f"&#{ord(mark[0])};", shown)


def _resolved(match: re.Match[str]) -> str:
    link = match[1]
    return _template(match[2]) if link is None else _link(link)


def _template_match(match: re.Match[str]) -> str:
    return _template(match[1])


def _link_match(match: re.Match[str]) -> str:
    return _link(match[1])


def _label(match: re.Match[str]) -> str:
    return match[1] or ""


def _link(body: str) -> str:
    """Return what a link prints, between marks; nothing for files, categories and links to other languages."""
    target, pipe, label = body.partition("|")
    if ":" in target:
        if _DROPPED_SPACES.match(target):
            return ""
        target = target.lstrip(" :")
    if not pipe:
        shown = target
    elif label:
        shown = label.rpartition("|")[2]
    else:  # the pipe trick: without name space and parenthesis
        shown = re.sub(r"\s*[（(][^（()）]*[）)]$", "", target.rpartition(":")[2])
    shown = shown.replace("\n", " ").replace(LINK, "").replace(LINK_END, "").strip()
    return f"{LINK}{shown}{LINK_END}" if shown else ""


def _template(body: str) -> str:
    """Return what a template prints as far as its call tells: one argument of those we know, lists of any."""
    name, pipe, rest = body.partition("|")
    if not pipe:
        return "|" if name.strip() == "!" else ""
    key = name.strip().lower()
    place = PRINTED.get(key)
    if place is None and key.startswith("lang-"):
        place = 0
    if place is not None:
        arguments = [argument for argument in rest.split("|") if not _is_named(argument)]
        if not arguments:
            return ""
        shown = arguments[min(place, len(arguments) - 1)].strip()
        return f"{LINK}{shown}{LINK_END}" if key == "仮リンク" and LINK not in shown and shown else shown
    if "\n" in rest and _LIST_LINE.search(rest):
        lists = [argument for argument in rest.split("|") if _LIST_LINE.search(argument) and not _is_named(argument)]
        return "".join(f"\n{argument.strip()}\n" for argument in lists)
    return ""


def _is_named(argument: str) -> bool:
    name, equals, _ = argument.partition("=")
    return bool(equals) and "\n" not in name.strip() and not name.strip().isdigit() and len(name) < 40
