// What decided: weights as bars, each beginning where the one above it ends, so that they add up to the score.
import { askJson } from "./api.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

const SHOWN = 10; // bars of a decision; the rest is one

export async function reasonsFor(panel, sentence, what, title, back) {
  const close = h("button", { type: "button", class: "close quiet", onclick: () => {
    panel.hidden = true;
    back();
  } }, t("close"));
  const body = h("div", {}, h("p", { class: "hint" }, t("working")));
  panel.replaceChildren(h("header", {}, h("h3", {}, `${t("reasons")}: ${title}`), close), body);
  panel.hidden = false;
  try {
    const { explanations } = await askJson("/api/explain", { text: sentence.text, top: SHOWN, ...what });
    body.replaceChildren(...explanations.flatMap(decision));
    if (!explanations.some((one) => one.items.length)) body.append(h("p", { class: "hint" }, t("noReasons")));
  } catch (error) {
    body.replaceChildren(h("p", { class: "hint" }, error.message));
  }
  panel.focus({ preventScroll: true });
  panel.scrollIntoView({ block: "nearest" });
}

const signed = (value) => `${value < 0 ? "−" : "+"}${Number.isInteger(value) ? Math.abs(value) : Math.abs(value).toFixed(3)}`;

function decision(told) {
  const title = h("h4", {}, told.machine);
  if (!told.items.length) return [title];
  const ends = [0];
  for (const item of told.items) ends.push(ends.at(-1) + item.weight);
  const low = Math.min(...ends), scale = 100 / Math.max(Math.max(...ends) - low, 1e-9);
  const place = (value) => scale * (value - low);
  const rows = told.items.map((item, number) => row(named(item.conjunction), item.weight, place(ends[number]), place(ends[number + 1]),
    item.conjunction.startsWith("(") && item.conjunction.endsWith("others)") ? "rest" : null));
  const sum = row([t("sum")], told.margin, place(0), place(told.margin), "sum");
  const list = h("ol", { class: "bars" }, ...rows, sum);
  list.style.setProperty("--zero", `${place(0)}%`);
  return [title, list];
}

function named(conjunction) {
  const others = /^\((\d+) others\)$/.exec(conjunction);
  if (others) return [t("others", others[1])];
  return conjunction.split(" & ").flatMap((part, place) => (place ? [h("i", {}, "&"), part] : [part]));
}

function row(what, weight, from, to, kind) {
  const fill = h("span", { class: `fill ${weight < 0 ? "against" : "for"}` });
  fill.style.left = `${Math.min(from, to)}%`;
  fill.style.width = `${Math.abs(to - from)}%`;
  return h("li", { class: kind }, h("span", { class: "what" }, ...what), h("span", { class: "track", "aria-hidden": "true" }, fill), h("span", { class: "number" }, signed(weight)));
}
