// One sentence: its views, alternatives, reasons and files.
import { chunkView, figure, predicateList, questionView, wordTable } from "./views.js";
import { Corrections, dragArcs, editPanel } from "./editing.js";
import { h } from "./dom.js";
import { reasonsFor } from "./reasons.js";
import { save, saveOptions } from "./saving.js";
import { t } from "./texts.js";

const VIEWS = { ja: ["stairs", "arcs", "words", "universal"], en: ["constituents", "dependencies", "predicates", "chunks", "question"] };
const EDITED = { stairs: "arc", arcs: "arc", words: "boundary", dependencies: "arc", predicates: "argument", question: "class" };
const preferred = { ja: "stairs", en: "constituents" };
let cards = 0;

export function sentenceCard(sentence, number, about) {
  const id = `s${++cards}`;
  const state = { sentence, id, view: null, alternative: 0, about, editing: false };
  const kinds = about.correctable?.[sentence.language] ?? [];
  const corrections = new Corrections(sentence, () => draw());
  const views = VIEWS[sentence.language].filter((view) => available(sentence, view));
  const panel = h("div", { class: "panel", role: "tabpanel", id: `${id}-panel` });
  const reasons = h("section", { class: "reasons", hidden: true, "aria-label": t("reasons"), tabindex: "-1" });
  const flip = h("span", { class: "flip" });
  const editor = h("div");
  const edit = h("button", { type: "button", class: "toggle", onclick: () => {
    state.editing = !state.editing;
    state.alternative = 0;
    draw();
  } });
  const tabs = views.map((view) => h("button", {
    type: "button", role: "tab", id: `${id}-${view}`, "data-view": view, "aria-controls": `${id}-panel`,
    onclick: () => choose(view), onkeydown: (event) => moveTab(event, view),
  }, t(view)));
  const card = h("article", { class: "sentence card", "aria-labelledby": `${id}-text`, lang: sentence.language },
    h("h2", { id: `${id}-text` }, sentence.text.trim(), badge(sentence)),
    h("div", { class: "bar" },
      h("div", { role: "tablist", "aria-label": `${t("views")}, ${t("sentence")} ${number}` }, ...tabs),
      h("div", { class: "tools" }, flip, edit, saveMenu())),
    panel, editor, reasons);
  state.card = card;

  function saveMenu() {
    const menu = h("select", { "aria-label": t("saveLabel") }, h("option", { value: "" }, t("save")),
      ...saveOptions(sentence, about).map((name) => h("option", { value: name }, name)));
    menu.addEventListener("change", () => {
      if (menu.value) save(menu.value, state, panel.querySelector("svg"));
      menu.value = "";
    });
    return menu;
  }

  function moveTab(event, view) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = views[(views.indexOf(view) + step + views.length) % views.length];
    choose(next);
    card.querySelector(`#${id}-${next}`).focus();
  }

  function choose(view) {
    state.view = preferred[sentence.language] = view;
    state.alternative = 0;
    draw();
  }

  function draw() {
    for (const tab of tabs) {
      const own = tab.dataset.view === state.view;
      tab.setAttribute("aria-selected", own);
      tab.tabIndex = own ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", `${id}-${state.view}`);
    panel.replaceChildren(...content());
    reasons.hidden = true;
    drawFlip();
    drawEditor();
  }

  const alternatives = () => {
    if (sentence.language === "ja") return ["stairs", "arcs"].includes(state.view) ? sentence.alternatives ?? [] : [];
    if (state.view === "constituents") return sentence.constituent_alternatives ?? [];
    return state.view === "dependencies" ? sentence.dependency_alternatives ?? [] : [];
  };

  function drawFlip() {
    const all = alternatives();
    flip.replaceChildren();
    if (all.length < 2) return;
    const turn = (step, label, sign) => h("button", { type: "button", "aria-label": t(label), onclick: () => {
      state.alternative = (state.alternative + step + all.length) % all.length;
      draw();
      flip.querySelectorAll("button")[step < 0 ? 0 : 1].focus();
    } }, sign);
    const own = all[state.alternative];
    const share = own.probability === undefined ? null : own.probability < 0.01 ? "< 1" : Math.round(100 * own.probability);
    flip.append(turn(-1, "previous", "‹"), h("span", { role: "status", title: share === null ? null : t("among", share) },
      `${t("alternative")} ${state.alternative + 1} / ${all.length}${share === null ? "" : ` · ${share} %`}`), turn(1, "next", "›"));
  }

  function drawEditor() {
    const possible = kinds.includes(EDITED[state.view]);
    edit.hidden = !possible;
    edit.textContent = t(state.editing ? "stop" : "correct");
    edit.setAttribute("aria-pressed", state.editing);
    const on = possible && state.editing;
    card.classList.toggle("editing", on);
    editor.replaceChildren();
    if (!on) return;
    const svg = panel.querySelector("svg");
    if (svg && EDITED[state.view] === "arc") dragArcs(svg, sentence, state.view, corrections);
    editor.append(editPanel(sentence, state.view, kinds, corrections, () => card.dispatchEvent(new CustomEvent("kept", { bubbles: true }))));
  }

  function content() {
    const chosen = alternatives()[state.alternative];
    const explain = (what, title, item) => {
      for (const other of panel.querySelectorAll(".chosen")) other.classList.remove("chosen");
      item?.classList.add("chosen");
      return reasonsFor(reasons, sentence, what, title, () => item?.focus());
    };
    if (state.view === "words") return [wordTable(sentence, explain)];
    if (state.view === "chunks") return [chunkView(sentence)];
    if (state.view === "question") return [questionView(sentence, explain)];
    const shown = figure(sentence, state.view, state.alternative ? chosen : null, explain);
    return state.view === "predicates" ? [...shown, predicateList(sentence)] : shown;
  }

  choose(views.includes(preferred[sentence.language]) ? preferred[sentence.language] : views[0]);
  return card;
}

function available(sentence, view) {
  if (view === "words") return true;
  if (view === "chunks") return sentence.chunks !== undefined;
  if (view === "question") return Boolean(sentence.question);
  return Boolean(sentence.pictures[view]);
}

function badge(sentence) {
  return sentence.question ? h("span", { class: "badge" }, sentence.question.fine) : null;
}
