// Edit mode: a corrected arc, boundary, class or role is learned at once, shown, and kept or not.
import { askJson } from "./api.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

// Corrections of a sentence that wait to be learned; at most one for each place.
export class Corrections {
  constructor(sentence, changed) {
    this.sentence = sentence;
    this.changed = changed;
    this.waiting = new Map();
    this.report = null;
  }

  span(unit) {
    return [unit.start - this.sentence.start, unit.end - this.sentence.start];
  }

  add(kind, at, is, shown, of) {
    const one = { text: this.sentence.text, kind, at, is };
    if (of) one.of = of;
    this.waiting.set(JSON.stringify([kind, at, of]), { one, shown });
    this.report = null;
    this.changed();
  }

  remove(key) {
    this.waiting.delete(key);
    this.report = null;
    this.changed();
  }

  get(kind, at, of) {
    return this.waiting.get(JSON.stringify([kind, at, of]))?.one.is;
  }

  request() {
    return { language: this.sentence.language, corrections: [...this.waiting.values()].map((entry) => entry.one) };
  }
}

const units = (sentence, view) => (sentence.language === "ja" ? sentence.bunsetsu : view === "dependencies" ? sentence.dependencies : sentence.tokens);

// Drag one word onto another, or choose one and then the other: it leans on that one.
export function dragArcs(svg, sentence, view, corrections) {
  const own = units(sentence, view);
  const words = [...svg.querySelectorAll(".word")];
  let grabbed = null, line = null;
  const allowed = (from, to) => from !== to && (sentence.language === "en" || to > from);
  const put = (from, to) => {
    release();
    if (!allowed(from, to)) return;
    corrections.add("arc", corrections.span(own[from]), corrections.span(own[to]), `${own[from].text.trim()} → ${own[to].text.trim()}`);
  };
  const release = () => {
    grabbed = null;
    line?.remove();
    line = null;
    for (const word of words) word.classList.remove("grabbed", "target");
  };
  const grab = (place) => {
    release();
    grabbed = place;
    words[place].classList.add("grabbed");
  };
  const at = (event) => {
    const hit = document.elementFromPoint(event.clientX, event.clientY)?.closest(".word");
    return hit && svg.contains(hit) ? Number(hit.dataset.word) : null;
  };
  const middle = (place) => {
    const box = words[place].querySelector(".box").getBBox();
    return new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
  };
  words.forEach((word, place) => {
    word.setAttribute("role", "button");
    word.setAttribute("tabindex", "0");
    word.setAttribute("aria-label", t("choose", own[place].text.trim()));
    word.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      if (grabbed !== null && grabbed !== place) {
        put(grabbed, place);
        return;
      }
      grab(place);
      svg.setPointerCapture(event.pointerId);
      line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("class", "rubber");
      svg.append(line);
    });
    word.addEventListener("keydown", (event) => {
      if (event.key === "Escape") release();
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (grabbed === null || grabbed === place) grab(place);
      else put(grabbed, place);
    });
  });
  svg.addEventListener("pointermove", (event) => {
    if (!line) return;
    const target = at(event);
    words.forEach((word, place) => word.classList.toggle("target", place === target && allowed(grabbed, place)));
    const root = svg.querySelector(".word").getCTM(), screen = svg.getScreenCTM();
    const start = middle(grabbed).matrixTransform(root), end = new DOMPoint(event.clientX, event.clientY).matrixTransform(screen.inverse());
    line.setAttribute("d", `M${start.x} ${start.y}L${end.x} ${end.y}`);
  });
  svg.addEventListener("pointerup", (event) => {
    if (!line) return;
    line.remove();
    line = null;
    const target = at(event);
    if (target !== null && target !== grabbed) put(grabbed, target);
    else if (target === null) release();
  });
  for (const link of svg.querySelectorAll(".link")) {
    const wanted = corrections.get("arc", corrections.span(own[Number(link.dataset.from)]));
    link.classList.toggle("wrong", wanted !== undefined);
    const from = Number(link.dataset.from);
    const to = wanted ? own.findIndex((unit) => corrections.span(unit).join() === wanted.join()) : -1;
    if (to >= 0) link.parentNode.append(wantedArc(middle(from), middle(to), words[from].querySelector(".box").getBBox()));
  }
}

// Where a corrected arc will run.
function wantedArc(middle, end, box) {
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const steep = Math.abs(end.y - middle.y) > 4;
  const start = new DOMPoint(steep ? box.x + box.width : middle.x, middle.y);
  const bend = steep ? `${Math.max(start.x, end.x) + 34} ${start.y}` : `${(start.x + end.x) / 2} ${start.y - Math.min(60, Math.abs(end.x - start.x) / 3)}`;
  path.setAttribute("class", "wanted");
  path.setAttribute("d", `M${start.x} ${start.y - (steep ? 0 : 12)}Q${bend} ${end.x} ${end.y - 12}`);
  return path;
}

// Between two words a bunsetsu begins, or does not.
function cuts(sentence, corrections) {
  const pieces = [];
  for (const own of sentence.bunsetsu) {
    let place = own.start - sentence.start;
    own.morphemes.forEach((word, number) => {
      const begin = sentence.text.indexOf(word.surface, place);
      place = begin + word.surface.length;
      if (begin > 0 && pieces.length) {
        const now = corrections.get("boundary", begin) ?? number === 0;
        pieces.push(h("button", { type: "button", "aria-pressed": now, "aria-label": t(now ? "boundaryHere" : "noBoundary", word.surface), onclick: () => {
          const shown = `${sentence.text.slice(Math.max(0, begin - 6), begin)}${now ? "+" : "|"}${sentence.text.slice(begin, begin + 6)}`;
          corrections.add("boundary", begin, !now, shown);
        } }, now ? "|" : "·"));
      }
      pieces.push(h("span", {}, word.surface));
    });
  }
  return h("div", { class: "cuts", role: "group", "aria-label": t("boundaries") }, ...pieces);
}

function classes(sentence, corrections) {
  const now = corrections.get("class", null) ?? sentence.question.fine;
  const menu = h("select", { "aria-label": t("rightClass") }, ...CLASSES.map((name) => h("option", { value: name, selected: name === now }, name)));
  menu.addEventListener("change", () => corrections.add("class", null, menu.value, menu.value));
  return h("p", { class: "fields" }, h("span", {}, t("rightClass")), menu);
}

function roles(sentence, corrections) {
  return h("div", { class: "roles" }, ...sentence.predicates.flatMap((predicate) => predicate.arguments.map((argument) => {
    const at = corrections.span(argument), of = corrections.span(predicate);
    const now = corrections.get("argument", at, of);
    const chosen = now === undefined ? argument.role : now ?? "";
    const menu = h("select", { "aria-label": t("argument", argument.role, argument.text, predicate.text) },
      ...[...new Set([argument.role, ...ROLES])].map((name) => h("option", { value: name, selected: name === chosen }, name)),
      h("option", { value: "", selected: chosen === "" }, t("noArgument")));
    menu.addEventListener("change", () => corrections.add("argument", at, menu.value || null, `${predicate.text}: ${argument.text} ${menu.value || "–"}`, of));
    return h("p", { class: "fields" }, h("b", {}, predicate.text), h("span", {}, argument.text), menu);
  })));
}

// What can be corrected in a view, as elements, with what waits and what learning it changed.
export function editPanel(sentence, view, kinds, corrections, kept) {
  const panel = h("section", { class: "edit", "aria-label": t("correct") });
  const arcs = ["stairs", "arcs", "dependencies"].includes(view) && kinds.includes("arc");
  if (arcs) panel.append(h("p", { class: "hint" }, t("dragHint")));
  if (["stairs", "arcs", "words"].includes(view) && kinds.includes("boundary")) panel.append(h("p", { class: "hint" }, t("cutHint")), cuts(sentence, corrections));
  if (view === "question" && kinds.includes("class")) panel.append(classes(sentence, corrections));
  if (view === "predicates" && kinds.includes("argument")) panel.append(roles(sentence, corrections));
  if (corrections.waiting.size && !corrections.report) {
    panel.append(h("ul", { class: "waiting" }, ...[...corrections.waiting].map(([key, entry]) => h("li", {}, entry.shown, " ",
      h("button", { type: "button", class: "quiet", "aria-label": t("forget", entry.shown), onclick: () => corrections.remove(key) }, "×")))));
    const learn = h("button", { type: "button", class: "primary learn", onclick: async () => {
      learn.disabled = true;
      try {
        corrections.report = await askJson("/api/corrections/try", corrections.request());
      } catch (error) {
        corrections.report = { error: error.message };
      }
      corrections.changed();
      panel.isConnected || document.querySelector(".report")?.focus();
    } }, t("learn"));
    panel.append(learn);
  }
  if (corrections.report) panel.append(reportOf(corrections, kept));
  return panel;
}

function reportOf(corrections, kept) {
  const { report } = corrections;
  const box = h("div", { class: "report", role: "status", tabindex: "-1" });
  if (report.error) {
    box.append(h("p", { class: "bad" }, report.error));
    return box;
  }
  const line = (good, text) => h("li", { class: good ? "good" : "bad" }, `${good ? "✓" : "✗"} ${text}`);
  box.append(h("p", {}, t("learned", Math.round(1000 * report.seconds))), h("ul", {},
    ...report.corrections.map((one) => line(one.now, `${one.told}: ${t(one.now ? "rightNow" : "stillWrong")}`)),
    ...report.broken_corrections.map((told) => line(false, `${t("brokenCorrection")}: ${told}`)),
    ...report.broken_sentences.map((one) => line(false, `${t("brokenSentence")}: ${one.text}`)),
    report.broken_corrections.length + report.broken_sentences.length ? null : line(true, t("nothingBroke"))));
  const keep = h("button", { type: "button", class: "primary keep", onclick: async () => {
    keep.disabled = true;
    try {
      await askJson("/api/corrections/keep", corrections.request());
      kept();
    } catch (error) {
      corrections.report = { error: error.message };
      corrections.changed();
    }
  } }, t("keep"));
  box.append(h("p", { class: "fields" }, keep, h("button", { type: "button", onclick: () => {
    corrections.waiting.clear();
    corrections.report = null;
    corrections.changed();
  } }, t("discard"))));
  return box;
}

// The corrections that were kept, and a way back.
export async function showHistory(section, changed) {
  const { corrections } = await askJson("/api/corrections");
  section.hidden = corrections.length === 0;
  const tasks = [...new Set(corrections.map((one) => one.task))];
  section.replaceChildren(h("h2", {}, `${t("history")} (${corrections.length})`),
    ...tasks.flatMap((task) => [
      h("ol", {}, ...corrections.filter((one) => one.task === task).map((one) => h("li", {}, `${one.told} `, h("span", { class: "hint" }, one.text.trim())))),
      h("button", { type: "button", class: "undo", "data-task": task, onclick: async () => {
        await askJson("/api/corrections/undo", { task });
        await showHistory(section, changed);
        changed();
      } }, t("undo")),
    ]));
}

const CLASSES = `ABBR:abb ABBR:exp DESC:def DESC:desc DESC:manner DESC:reason ENTY:animal ENTY:body ENTY:color ENTY:cremat ENTY:currency
ENTY:dismed ENTY:event ENTY:food ENTY:instru ENTY:lang ENTY:letter ENTY:other ENTY:plant ENTY:product ENTY:religion ENTY:sport ENTY:substance
ENTY:symbol ENTY:techmeth ENTY:termeq ENTY:veh ENTY:word HUM:desc HUM:gr HUM:ind HUM:title LOC:city LOC:country LOC:mount LOC:other LOC:state
NUM:code NUM:count NUM:date NUM:dist NUM:money NUM:ord NUM:other NUM:perc NUM:period NUM:speed NUM:temp NUM:volsize NUM:weight`.split(/\s+/);
const ROLES = `ARG0 ARG1 ARG2 ARG3 ARG4 R-ARG0 R-ARG1 C-ARG1 ARGM-ADV ARGM-CAU ARGM-DIR ARGM-DIS ARGM-EXT ARGM-LOC ARGM-MNR ARGM-MOD
ARGM-NEG ARGM-PRD ARGM-PRP ARGM-TMP`.split(/\s+/);
