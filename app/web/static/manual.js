// The API's own description (OpenAPI) as a page.
import { ask, takeToken } from "./api.js";
import { h } from "./dom.js";

takeToken(new URLSearchParams(location.hash.slice(1)));
const manual = document.getElementById("manual");
const EXAMPLES = {
  "/api/parse": { text: "太郎は京都大学に行った。", include: ["universal"], alternatives: 3 },
  "/api/stream": { texts: ["本を読む。", "Who wrote Hamlet?"], include: ["question"] },
  "/api/explain": { text: "太郎は花子が読んでいる本を次郎に渡した。", what: "arc", first: 0, second: 5 },
  "/api/export": { text: "The dog barked.", format: "ptb" },
};

function fields(document, body) {
  const name = body?.content?.["application/json"]?.schema?.$ref?.split("/").at(-1);
  const schema = document.components.schemas[name];
  if (!schema) return null;
  const kind = (field) => field.enum?.join(" | ") ?? field.const ?? field.type ?? field.anyOf?.map(kind).join(" or ") ?? "";
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Fields" }, h("table", {}, h("thead", {}, h("tr", {}, ...["Field", "Type", "Meaning"].map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", {}, ...Object.entries(schema.properties).map(([field, told]) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, field)),
      h("td", {}, told.type === "array" ? `list of ${kind(told.items)}` : kind(told)), h("td", {}, told.description ?? ""))))));
}

try {
  const told = await (await ask("/api/openapi.json")).json();
  manual.append(...told.info.description.split("\n\n").map((part) => h("p", {}, part)));
  for (const [path, methods] of Object.entries(told.paths)) {
    for (const [method, one] of Object.entries(methods)) {
      const example = EXAMPLES[path];
      manual.append(h("article", { class: "card" }, h("h2", {}, h("span", { class: "method" }, method.toUpperCase()), h("code", {}, path)),
        h("p", {}, one.description ?? one.summary), fields(told, one.requestBody),
        example ? h("pre", { tabindex: "0" }, `curl ${location.origin}${path} -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(example)}'`) : null));
    }
  }
} catch (error) {
  manual.append(h("p", {}, error.message));
}
