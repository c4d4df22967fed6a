// The page: reads the text, asks the server, shows the sentences.
import { askJson, takeToken } from "./api.js";
import { h } from "./dom.js";
import { sentenceCard } from "./sentence.js";
import { showHistory } from "./editing.js";
import { changeLanguage, fillTexts, t } from "./texts.js";

const EXAMPLES = [
  ["ja", "太郎は花子が読んでいる本を次郎に渡した。"],
  ["ja", "美しい水車小屋の娘が、川で洗濯をしている母を呼んだ。"],
  ["en", "The board approved the plan that Mary sent."],
  ["en", "Who wrote the letter that Mary sent to the president?"],
];
const THEMES = ["auto", "light", "dark"];
const PAUSE = 250; // milliseconds without a keystroke
const KEPT_THEME = "kakari-theme";
const byId = (id) => document.getElementById(id);
const text = byId("text"), results = byId("results"), status = byId("status"), form = byId("ask");
let about = { limits: { characters: 200000 }, formats: { ja: [], en: [] } };
let waiting = null, running = null, shown = null, theme = localStorage.getItem(KEPT_THEME) ?? "auto";

function applyTheme() {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId("theme").textContent = t({ auto: "themeAuto", light: "themeLight", dark: "themeDark" }[theme]);
}

function applyTexts() {
  fillTexts();
  byId("interface").textContent = t("other");
  byId("interface").setAttribute("aria-label", t("otherLabel"));
  applyTheme();
}

function say(message, problem = false) {
  status.textContent = message;
  status.classList.toggle("problem", problem);
}

const chosenLanguage = () => form.elements.language.value || null;

function fragment() {
  const told = new URLSearchParams({ text: text.value });
  if (chosenLanguage()) told.set("language", chosenLanguage());
  return told;
}

export async function analyse() {
  clearTimeout(waiting);
  running?.abort();
  const own = (running = new AbortController());
  if (!text.value.trim()) {
    results.replaceChildren();
    say("");
    shown = null;
    return;
  }
  const start = performance.now();
  say(t("working"));
  try {
    const request = { text: text.value, include: ["universal", "dependencies", "chunks", "question", "pictures"], alternatives: 5 };
    if (chosenLanguage()) request.language = chosenLanguage();
    const answer = await askJson("/api/parse", request, own.signal);
    shown = { result: answer.results[0], start };
    show();
    const server = performance.getEntriesByType("resource").findLast((one) => one.name.endsWith("/api/parse"))?.serverTiming?.[0]?.duration;
    const said = t("done", shown.result.sentences.length, Math.round(server ?? 0), Math.round(performance.now() - start));
    say([said, ...(shown.result.warnings ?? [])].join(" "));
    performance.measure("kakari-shown", { start, end: performance.now() });
  } catch (error) {
    if (error.name === "AbortError") return;
    results.replaceChildren();
    shown = null;
    say(error.message, true);
  }
}

function show() {
  const { sentences } = shown.result;
  const drawn = sentences.filter((sentence) => sentence.pictures);
  results.replaceChildren(...drawn.map((sentence, number) => sentenceCard(sentence, number + 1, about)));
  if (sentences.length > drawn.length) results.append(moreButton(sentences.slice(drawn.length), drawn.length));
}

function moreButton(rest, from) {
  const button = h("button", { type: "button", id: "more" }, t("more", Math.min(20, rest.length)));
  button.addEventListener("click", async () => {
    const some = rest.slice(0, 20);
    const request = { texts: some.map((one) => one.text), include: ["universal", "dependencies", "chunks", "question", "pictures"], alternatives: 5, language: shown.result.language };
    try {
      const { results: found } = await askJson("/api/parse", request);
      const cards = found.flatMap((one) => one.sentences).map((one, place) => sentenceCard(one, from + place + 1, about));
      button.replaceWith(...cards);
      if (rest.length > some.length) results.append(moreButton(rest.slice(some.length), from + some.length));
      cards[0]?.querySelector("[role=tab]")?.focus();
    } catch (error) {
      say(error.message, true);
    }
  });
  return button;
}

async function changed() {
  try {
    await showHistory(byId("history"), analyse);
  } catch (error) {
    say(error.message, true);
  }
  await analyse();
}

async function readFile(file) {
  if (file.size > 4 * about.limits.characters) {
    say(t("tooLarge"), true);
    return;
  }
  text.value = (await file.text()).slice(0, about.limits.characters);
  analyse();
}

function listen() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    analyse();
  });
  text.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(analyse, PAUSE);
  });
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) analyse();
  });
  for (const choice of form.elements.language) choice.addEventListener("change", analyse);
  byId("file").addEventListener("change", (event) => event.target.files[0] && readFile(event.target.files[0]));
  for (const kind of ["dragenter", "dragover"]) {
    document.addEventListener(kind, (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      document.body.classList.add("dragging");
    });
  }
  document.addEventListener("dragleave", (event) => event.relatedTarget === null && document.body.classList.remove("dragging"));
  document.addEventListener("drop", (event) => {
    document.body.classList.remove("dragging");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    readFile(event.dataTransfer.files[0]);
  });
  byId("link").addEventListener("click", async () => {
    history.replaceState(null, "", `#${fragment()}`);
    try {
      await navigator.clipboard.writeText(location.href);
      say(t("linked"));
    } catch {
      say(t("linkHere"));
    }
  });
  byId("interface").addEventListener("click", () => {
    changeLanguage();
    applyTexts();
    if (shown) show();
    if (!byId("history").hidden) showHistory(byId("history"), analyse);
  });
  byId("theme").addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    localStorage.setItem(KEPT_THEME, theme);
    applyTheme();
  });
  results.addEventListener("kept", () => changed());
  window.addEventListener("hashchange", () => readFragment() && analyse());
}

function readFragment() {
  const told = new URLSearchParams(location.hash.slice(1));
  takeToken(told);
  if (!told.has("text")) return false;
  text.value = told.get("text");
  for (const choice of form.elements.language) choice.checked = choice.value === (told.get("language") ?? "");
  return true;
}

async function begin() {
  applyTexts();
  listen();
  for (const [language, example] of EXAMPLES) {
    const shortened = example.length > 22 ? `${example.slice(0, language === "ja" ? 12 : 22)}…` : example;
    byId("examples").append(h("button", { type: "button", lang: language, title: example, onclick: () => {
      text.value = example;
      form.elements.language.value = "";
      analyse();
    } }, shortened));
  }
  const asked = readFragment();
  try {
    about = await askJson("/api/about");
    byId("docs-link").hidden = !about.docs;
    if (Object.values(about.correctable).flat().length) await showHistory(byId("history"), analyse);
  } catch (error) {
    say(error.message, true);
    return;
  }
  if (asked) analyse();
  else text.focus();
}

begin();
