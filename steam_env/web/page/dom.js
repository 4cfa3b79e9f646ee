// Short words for what every part of the page does with elements.
export const SVG = "http://www.w3.org/2000/svg";
export const HTML = "http://www.w3.org/1999/xhtml";

export const find = (id) => document.getElementById(id);

export function make(space, tag, attributes = {}, ...children) {
  const node = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export const makeHtml = (tag, attributes, ...children) => make(HTML, tag, attributes, ...children);

export function makeButton(text, act, attributes = {}) {
  const button = makeHtml("button", { type: "button", ...attributes }, text);
  button.addEventListener("click", act);
  return button;
}

export const makeBadge = (seat) =>
  makeHtml("span", { class: `badge seat-${seat}`, "aria-hidden": "true" }, String(seat));

export function makeOption(value, text = value) {
  return makeHtml("option", { value }, text);
}

// Arrow keys, Home and End go through the buttons of a list, which is one stop for the tab key.
export function rove(list) {
  list.addEventListener("keydown", (event) => {
    const buttons = [...list.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const steps = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 };
    if (at < 0 || !(event.key in steps)) return;
    event.preventDefault();
    event.stopPropagation();
    const next = buttons[Math.min(Math.max(steps[event.key], 0), buttons.length - 1)];
    buttons.forEach((button) => button.setAttribute("tabindex", button === next ? "0" : "-1"));
    next.focus();
  });
}
