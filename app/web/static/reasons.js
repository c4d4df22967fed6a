// What decided: weights as bars around a middle line, which add up to the score.
import { askJson } from "./api.js";
import { h } from "./dom.js";
import { t } from "./texts.js";

export async function reasonsFor(panel, sentence, what, title, back) {
  const close = h("button", { type: "button", class: "close quiet", onclick: () => {
    panel.hidden = true;
    back();
  } }, t("close"));
  const body = h("div", {}, h("p", { class: "hint" }, t("working")));
  panel.replaceChildren(h("header", {}, h("h3", {}, `${t("reasons")}: ${title}`), close), body);
  panel.hidden = false;
  try {
    const { explanations } = await askJson("/api/explain", { text: sentence.text, ...what });
    body.replaceChildren(...explanations.flatMap(decision));
    if (!explanations.some((one) => one.items.length)) body.append(h("p", { class: "hint" }, t("noReasons")));
  } catch (error) {
    body.replaceChildren(h("p", { class: "hint" }, error.message));
  }
  panel.focus({ preventScroll: true });
  panel.scrollIntoView({ block: "nearest" });
}

const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

function decision(told) {
  const title = h("h4", {}, told.machine);
  if (!told.items.length) return [title];
  const largest = Math.max(...told.items.map((item) => Math.abs(item.weight)), Math.abs(told.margin), 1e-9);
  const rows = told.items.map((item) => row(named(item.conjunction), item.weight, largest, item.conjunction.startsWith("(") && item.conjunction.endsWith("others)") ? "rest" : null));
  const sum = row([t("sum")], told.margin, largest, "sum");
  return [title, h("ol", { class: "bars" }, ...rows, sum)];
}

function named(conjunction) {
  const others = /^\((\d+) others\)$/.exec(conjunction);
  if (others) return [t("others", others[1])];
  return conjunction.split(" & ").flatMap((part, place) => (place ? [h("i", {}, "&"), part] : [part]));
}

function row(what, weight, largest, kind) {
  const fill = h("span", { class: `fill ${weight < 0 ? "against" : "for"}` });
  const width = (50 * Math.abs(weight)) / largest;
  fill.style.left = `${weight < 0 ? 50 - width : 50}%`;
  fill.style.width = `${width}%`;
  return h("li", { class: kind }, h("span", { class: "what" }, ...what), h("span", { class: "track", "aria-hidden": "true" }, fill), h("span", { class: "number" }, signed(weight)));
}
