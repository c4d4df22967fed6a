// Files: pictures as they are shown, and the formats of `kakari parse`.
import { ask } from "./api.js";
import { download } from "./dom.js";

const STYLED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-weight", "font-family", "text-anchor", "paint-order"];
const ENDINGS = { json: "json", conllu: "conllu", cabocha: "cabocha", knp: "knp", ptb: "mrg", conll: "conll", chunks: "txt", tree: "txt", html: "html" };

export const saveOptions = (sentence, about) => ["SVG", "PNG", ...about.formats[sentence.language].filter((name) => !["svg", "html"].includes(name))];

export async function save(name, state, svg) {
  const { sentence } = state;
  if (name === "SVG" || name === "PNG") {
    if (!svg) return;
    const { source, width, height } = standalone(svg);
    if (name === "SVG") download("kakari.svg", source, "image/svg+xml");
    else download("kakari.png", await painted(source, width, height), "image/png");
    return;
  }
  const answer = await ask("/api/export", { text: sentence.text, language: sentence.language, format: name });
  download(`kakari.${ENDINGS[name] ?? "txt"}`, await answer.text(), "text/plain;charset=utf-8");
}

// The style sheet of the page is written into the picture.
export function standalone(svg) {
  const copy = svg.cloneNode(true);
  const originals = svg.querySelectorAll("*"), copies = copy.querySelectorAll("*");
  originals.forEach((element, place) => {
    const style = getComputedStyle(element);
    for (const name of STYLED) copies[place].setAttribute(name, style.getPropertyValue(name));
    for (const name of ["role", "tabindex", "aria-label"]) copies[place].removeAttribute(name);
  });
  const { width, height } = svg.viewBox.baseVal;
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", width);
  ground.setAttribute("height", height);
  ground.setAttribute("fill", getComputedStyle(document.documentElement).getPropertyValue("--card").trim());
  copy.prepend(ground);
  return { source: new XMLSerializer().serializeToString(copy), width, height };
}

async function painted(source, width, height) {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  try {
    image.src = url;
    await image.decode();
    const scale = Math.min(2, 16000 / Math.max(width, height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    context.drawImage(image, 0, 0, width, height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}
