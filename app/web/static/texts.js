// Interface texts in English and Japanese.
const TEXTS = {
  en: {
    skip: "Skip to the results", tagline: "What leans on what: structure, and the reasons for it.", settings: "Settings", docs: "Documentation", api: "API",
    text: "Text", placeholder: "Type or paste Japanese or English text, or drop a text file here.", drop: "Drop the file to analyse it",
    language: "Language of the text", auto: "By script", examples: "Examples", file: "Open file…", link: "Copy link", linked: "The link to this text is in the clipboard.",
    linkHere: "The address of this page carries the text now.", analyse: "Analyse", results: "Results", history: "Corrections", footer: "Everything stays on this computer: the page asks only the server it came from.",
    other: "日本語", otherLabel: "日本語で表示する", themeAuto: "Theme: system", themeLight: "Theme: light", themeDark: "Theme: dark",
    working: "Working…", nothing: "", done: (n, ms, all) => `${n} ${n === 1 ? "sentence" : "sentences"}, ${ms} ms on the server, ${all} ms in all.`,
    sentence: "Sentence", stairs: "Tree", arcs: "Arcs", words: "Words", universal: "Universal Dependencies", constituents: "Constituents",
    dependencies: "Dependencies", predicates: "Predicates", chunks: "Chunks", question: "Question", views: "Views",
    alternative: "Alternative", previous: "Previous analysis", next: "Next analysis", among: (p) => `${p} % of those found`, best: "best", save: "Save as…", saveLabel: "Save this sentence as",
    sure: "95 % and more", likely: "80 to 95 %", unsure: "60 to 80 %", doubtful: "below 60 %", clickArc: "Click a line to see what decided.", clickClass: "Click a class to see what decided.", clickNode: "Click a bracket to see what decided.", clickArgument: "Click an argument to see what decided.", clickBoundary: "Click a mark to see why a bunsetsu begins there (|), or does not (·).", begins: "Boundary", positive: "above 0: one begins",
    reasons: "What decided", others: (n) => `${n} others together`, close: "Close", sum: "Sum", forIt: "for", againstIt: "against", noReasons: "Nothing had to be decided here.", more: (n) => `Show ${n} more`,
    bunsetsu: "Bunsetsu", leans: "leans on", surface: "Word", base: "Base form", reading: "Reading", pos: "Part of speech", conjugation: "Conjugation", root: "root",
    arc: (a, b, p) => `${a} leans on ${b}${p === null ? "" : `, ${p} %`}`, relation: (a, r, b, p) => `${a}: ${r} of ${b}${p === null ? "" : `, ${p} %`}`, isRoot: (a) => `${a}: root`,
    constituent: (l, w, p) => `${l}: ${w}${p === null ? "" : `, ${p} %`}`, argument: (r, w, p) => `${r} of ${p}: ${w}`, noPredicates: "There are no predicates in this sentence.", notQuestion: "This is no question.",
    tooLarge: "The file is too large.", boundary: "chance of the boundary",
    correct: "Correct", stop: "Stop correcting", choose: (w) => `${w}: choose it, then what it leans on`, dragHint: "Drag a word onto the one it should lean on; or press Enter on the one, then on the other.",
    cutHint: "Click between two words to begin a bunsetsu there, or not.", boundaries: "Boundaries of bunsetsu", boundaryHere: (w) => `A bunsetsu begins before ${w}`, noBoundary: (w) => `No bunsetsu begins before ${w}`,
    rightClass: "The right class", noArgument: "no argument", forget: (w) => `Forget: ${w}`, learn: "Learn", learned: (ms) => `Learned in ${ms} ms; nothing is written yet.`, rightNow: "right now", stillWrong: "still wrong",
    brokenCorrection: "An earlier correction broke", brokenSentence: "A sentence of the sample broke", nothingBroke: "Nothing else broke.", keep: "Keep", discard: "Discard", undo: "Undo the last",
  },
  ja: {
    skip: "結果へ移動", tagline: "文の構造と、その判断の理由。", settings: "設定", docs: "ドキュメント", api: "API",
    text: "テキスト", placeholder: "日本語か英語の文を入力するか、テキストファイルをここにドロップしてください。", drop: "ここにドロップすると解析します",
    language: "テキストの言語", auto: "文字で判定", examples: "例文", file: "ファイルを開く…", link: "リンクをコピー", linked: "このテキストへのリンクをコピーしました。",
    linkHere: "このページのアドレスにテキストが入りました。", analyse: "解析する", results: "結果", history: "訂正", footer: "テキストはこのページのサーバーにだけ送られます。外部とは通信しません。",
    other: "English", otherLabel: "Show this page in English", themeAuto: "配色：自動", themeLight: "配色：明", themeDark: "配色：暗",
    working: "解析中…", nothing: "", done: (n, ms, all) => `${n}文、サーバー ${ms} ms、合計 ${all} ms。`,
    sentence: "文", stairs: "係り受け木", arcs: "アーク", words: "形態素", universal: "Universal Dependencies", constituents: "句構造",
    dependencies: "依存構造", predicates: "述語と項", chunks: "チャンク", question: "質問", views: "表示",
    alternative: "候補", previous: "前の解析", next: "次の解析", among: (p) => `候補中 ${p} %`, best: "最良", save: "保存…", saveLabel: "この文を保存",
    sure: "95 % 以上", likely: "80〜95 %", unsure: "60〜80 %", doubtful: "60 % 未満", clickArc: "線をクリックすると判断の理由が出ます。", clickClass: "クラスをクリックすると判断の理由が出ます。", clickNode: "括弧をクリックすると判断の理由が出ます。", clickArgument: "項をクリックすると判断の理由が出ます。", clickBoundary: "印をクリックすると、そこで文節が始まる（|）、始まらない（·）理由が出ます。", begins: "境界", positive: "正なら境界",
    reasons: "判断の理由", others: (n) => `ほか${n}個の合計`, close: "閉じる", sum: "合計", forIt: "賛成", againstIt: "反対", noReasons: "ここでは何も決める必要がありませんでした。", more: (n) => `あと${n}文を表示`,
    bunsetsu: "文節", leans: "係り先", surface: "表層形", base: "基本形", reading: "読み", pos: "品詞", conjugation: "活用", root: "根",
    arc: (a, b, p) => `${a}は${b}に係る${p === null ? "" : `、${p} %`}`, relation: (a, r, b, p) => `${a}は${b}の${r}${p === null ? "" : `、${p} %`}`, isRoot: (a) => `${a}：根`,
    constituent: (l, w, p) => `${l}：${w}${p === null ? "" : `、${p} %`}`, argument: (r, w, p) => `${p}の${r}：${w}`, noPredicates: "この文に述語はありません。", notQuestion: "質問ではありません。",
    tooLarge: "ファイルが大きすぎます。", boundary: "境界の確率",
    correct: "訂正する", stop: "訂正をやめる", choose: (w) => `${w}：選んでから係り先を選ぶ`, dragHint: "文節を係り先までドラッグしてください。キーボードでは、Enterで文節と係り先を順に選びます。",
    cutHint: "語と語の間をクリックすると、文節の境界を入れたり外したりできます。", boundaries: "文節の境界", boundaryHere: (w) => `${w}の前で文節が始まる`, noBoundary: (w) => `${w}の前で文節は始まらない`,
    rightClass: "正しいクラス", noArgument: "項ではない", forget: (w) => `取り消す：${w}`, learn: "学習する", learned: (ms) => `${ms} ms で学習しました。まだ保存していません。`, rightNow: "正しくなった", stillWrong: "まだ誤り",
    brokenCorrection: "以前の訂正が壊れた", brokenSentence: "見本の文が壊れた", nothingBroke: "ほかに壊れたものはありません。", keep: "保存する", discard: "捨てる", undo: "最後の訂正を取り消す",
  },
};
const KEPT = "kakari-interface";
let language = localStorage.getItem(KEPT) ?? (navigator.language.startsWith("ja") ? "ja" : "en");

export const t = (key, ...values) => {
  const text = TEXTS[language][key];
  return typeof text === "function" ? text(...values) : text;
};
export const interfaceLanguage = () => language;
export function changeLanguage() {
  language = language === "ja" ? "en" : "ja";
  localStorage.setItem(KEPT, language);
}
export function fillTexts(root = document) {
  document.documentElement.lang = language;
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(element.dataset.tLabel));
  for (const element of root.querySelectorAll("[data-t-placeholder]")) element.placeholder = t(element.dataset.tPlaceholder);
}
export const names = TEXTS;
