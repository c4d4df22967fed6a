// Elements are made of text and attributes only: nothing is ever read as HTML.
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// A picture of the server becomes elements; what is not well-formed SVG is refused.
export function picture(source, label) {
  const read = new DOMParser().parseFromString(source, "image/svg+xml");
  if (read.documentElement.nodeName !== "svg") throw new Error("the server sent no picture");
  const svg = document.importNode(read.documentElement, true);
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", label);
  for (const title of svg.querySelectorAll("title")) title.remove();
  return svg;
}

// One of many things can be reached by Tab, the others from it by arrow keys.
export function rove(items, activate) {
  items.forEach((item, place) => {
    item.setAttribute("role", "button");
    item.setAttribute("tabindex", place === 0 ? "0" : "-1");
    item.addEventListener("click", () => activate(item));
    item.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -items.length, End: items.length }[event.key];
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        activate(item);
      } else if (step) {
        event.preventDefault();
        const next = items[Math.max(0, Math.min(items.length - 1, place + step))];
        item.setAttribute("tabindex", "-1");
        next.setAttribute("tabindex", "0");
        next.focus();
      }
    });
  });
}

export function download(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const anchor = h("a", { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
