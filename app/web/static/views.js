// The views of a sentence: pictures whose parts can be pointed at, tables, chunks, classes.
import { h, picture, rove } from "./dom.js";
import { t } from "./texts.js";

const percent = (probability) => (probability === undefined || probability === null ? null : Math.round(100 * probability));

export function figure(sentence, view, alternative, explain) {
  const svg = picture(alternative ? alternative.pictures[view] : sentence.pictures[view], sentence.text.trim());
  const region = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${t(view)}: ${sentence.text.trim()}` }, svg);
  const wire = { stairs: bunsetsuArcs, arcs: bunsetsuArcs, universal: wordArcs, dependencies: wordArcs, constituents: nodes, predicates: argumentsOf }[view];
  const shown = [region];
  const note = wire(svg, sentence, alternative, explain, view);
  if (note) shown.push(note);
  return shown;
}

function legend(hint, marks = ["sure", "likely", "unsure", "doubtful"]) {
  return h("ul", { class: "legend" }, ...marks.map((mark) => h("li", { class: mark }, t(mark))),
    hint ? h("li", { class: "hint" }, hint) : null);
}

// A thin line is hard to hit: an invisible broad one lies below it.
function broaden(item) {
  const line = item.querySelector(".arc").cloneNode();
  line.setAttribute("class", "hit");
  item.prepend(line);
}

function bunsetsuArcs(svg, sentence, alternative, explain) {
  const { bunsetsu } = sentence;
  const items = [...svg.querySelectorAll(".link")];
  for (const item of items) {
    const from = Number(item.dataset.from), to = Number(item.dataset.to);
    if (alternative && bunsetsu[from].head !== to) item.classList.add("differs");
    const sure = alternative ? null : percent(bunsetsu[from].score);
    item.setAttribute("aria-label", t("arc", bunsetsu[from].text.trim(), bunsetsu[to].text.trim(), sure));
  }
  if (alternative) {
    for (const item of items) item.setAttribute("role", "img");
    return null;
  }
  items.forEach(broaden);
  rove(items, (item) => {
    const from = Number(item.dataset.from), to = Number(item.dataset.to);
    explain({ what: "arc", first: from, second: to }, `${bunsetsu[from].text.trim()} → ${bunsetsu[to].text.trim()}`, item);
  });
  return legend(t("clickArc"));
}

function wordArcs(svg, sentence, alternative, explain, view) {
  const words = view === "universal" ? sentence.universal : sentence.dependencies;
  const items = [...svg.querySelectorAll(".link")];
  for (const item of items) {
    const from = Number(item.dataset.from), to = Number(item.dataset.to);
    const relation = alternative ? alternative.deprels[from] : words[from].deprel;
    if (alternative && (alternative.heads[from] !== words[from].head || relation !== words[from].deprel)) item.classList.add("differs");
    const sure = alternative ? null : percent(words[from].probability);
    item.setAttribute("role", "img");
    item.setAttribute("aria-label", to < 0 ? t("isRoot", words[from].text) : t("relation", words[from].text, relation, words[to].text, sure));
  }
  if (view !== "dependencies" || alternative) return null;
  items.forEach(broaden);
  rove(items, (item) => {
    const from = Number(item.dataset.from), to = Number(item.dataset.to);
    explain({ what: "dependency", first: from }, `${words[from].text} → ${to < 0 ? t("root") : words[to].text} (${words[from].deprel})`, item);
  });
  return legend(t("clickArc"));
}

function nodes(svg, sentence, alternative, explain) {
  const items = [...svg.querySelectorAll(".node")];
  const covered = ({ begin, end }) => sentence.tokens.slice(Number(begin), Number(end)).map((token) => token.text).join(" ");
  const known = new Set(sentence.constituents.map((one) => `${one.label} ${one.first} ${one.last + 1}`));
  for (const item of items) {
    const { begin, end, label, node } = item.dataset;
    const sure = alternative ? null : percent(sentence.constituents[Number(node)].probability);
    if (alternative && !known.has(`${label} ${begin} ${end}`)) item.classList.add("differs");
    item.setAttribute("role", "img");
    item.setAttribute("aria-label", t("constituent", label, covered(item.dataset), sure));
  }
  if (alternative) return null;
  rove(items, (item) => {
    const { begin, end, label } = item.dataset;
    explain({ what: "constituent", first: Number(begin), second: Number(end), label }, `${label} “${covered(item.dataset)}”`, item);
  });
  return legend(t("clickNode"), ["unsure", "doubtful"]);
}

function argumentsOf(svg, sentence, alternative, explain) {
  const items = [...svg.querySelectorAll(".argument[data-argument]")];
  for (const item of items) {
    const predicate = sentence.predicates[Number(item.dataset.predicate)];
    const argument = predicate.arguments[Number(item.dataset.argument)];
    item.setAttribute("aria-label", t("argument", argument.role, argument.text, predicate.text));
  }
  rove(items, (item) => {
    const first = Number(item.dataset.predicate), second = Number(item.dataset.argument);
    const predicate = sentence.predicates[first], argument = predicate.arguments[second];
    explain({ what: "argument", first, second }, `${predicate.text}: ${argument.role} ${argument.text}`, item);
  });
  return items.length ? h("p", { class: "hint" }, t("clickArgument")) : null;
}

export function predicateList(sentence) {
  if (!sentence.predicates.length) return h("p", { class: "hint" }, t("noPredicates"));
  return h("ul", { class: "frames" }, ...sentence.predicates.map((predicate) => h("li", {}, h("b", {}, predicate.text), ": ",
    ...predicate.arguments.flatMap((argument, place) => [place ? ", " : "", h("i", {}, argument.role), ` ${argument.text}`]))));
}

export function wordTable(sentence, explain) {
  const columns = ["bunsetsu", "leans", "begins", "surface", "base", "reading", "pos", "conjugation"];
  let reached = 0;
  const rows = sentence.bunsetsu.flatMap((own) => own.morphemes.map((word, place) => {
    const first = place === 0;
    const begin = sentence.text.indexOf(word.surface, reached);
    reached = begin + word.surface.length;
    const head = own.head < 0 ? t("root") : `${sentence.bunsetsu[own.head].text.trim()} (${percent(own.score)} %)`;
    const opening = first ? [h("th", { scope: "rowgroup", rowspan: own.morphemes.length }, own.text.trim()), h("td", { rowspan: own.morphemes.length }, h("span", { class: "to" }, head))] : [];
    return h("tr", { class: first ? "first" : null }, ...opening, h("td", {}, boundary(sentence, word, begin, first, own, explain)), h("td", {}, word.surface), h("td", {}, word.base), h("td", {}, word.reading),
      h("td", {}, word.pos.join(" ")), h("td", {}, word.conjugation.filter(Boolean).join(" ")));
  }));
  return h("div", {}, h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("words") },
    h("table", {}, h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, t(name))))), h("tbody", {}, ...rows))), h("p", { class: "hint" }, t("clickBoundary")));
}

// Whether a bunsetsu begins with a word, as a button that tells why.
function boundary(sentence, word, begin, opens, own, explain) {
  if (begin <= 0 || sentence.text.slice(0, begin).trim() === "") return "";
  const shown = opens ? `| ${percent(own.boundary)} %` : "·";
  const label = t(opens ? "boundaryHere" : "noBoundary", word.surface);
  return h("button", { type: "button", class: "cut", "aria-label": label, title: label,
    onclick: (event) => explain({ what: "boundary", first: begin }, `${label} (${t("positive")})`, event.currentTarget) }, shown);
}

export function chunkView(sentence) {
  const opening = new Map(sentence.chunks.map((chunk) => [chunk.first, chunk]));
  const pieces = [];
  for (let place = 0; place < sentence.tokens.length; ) {
    const chunk = opening.get(place);
    const end = chunk ? chunk.last + 1 : place + 1;
    const words = sentence.tokens.slice(place, end).map((token) => token.text).join(" ");
    pieces.push(chunk ? h("li", { class: "chunk" }, h("small", {}, chunk.type), words) : h("li", {}, words));
    place = end;
  }
  return h("ul", { class: "chunks" }, ...pieces);
}

export function questionView(sentence, explain) {
  const { question } = sentence;
  const rows = question.classes.map((one, place) => {
    const fill = h("span", { class: "fill" });
    fill.style.width = `${100 * one.share}%`;
    const name = place === 0
      ? h("button", { type: "button", onclick: (event) => explain({ what: "question" }, `${question.fine} > ${question.second}`, event.currentTarget) }, one.class)
      : h("span", {}, one.class);
    return h("li", {}, name, h("span", { class: "track", "aria-hidden": "true" }, fill), h("span", { class: "number" }, `${(100 * one.share).toFixed(1)} %`));
  });
  return h("div", {}, h("ul", { class: "shares" }, ...rows), h("p", { class: "hint" }, t("clickClass")));
}
