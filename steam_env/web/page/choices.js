// What may be done: the list of legal actions, the field in which one is typed, the menu of a place with several.
import { find, makeButton, makeHtml, rove } from "./dom.js";

const FIRST_SHOWN = 60; // buttons of the list; what is typed finds the others

export class Choices {
  // act(action): somebody chose an action, by its id, or a text that is none of the legal ones.
  constructor(act) {
    this.act = act;
    this.all = [];
    rove(find("legal"));
    rove(find("menu"));
    find("words").addEventListener("input", () => this.list());
    find("words").addEventListener("keydown", (event) => {
      if (event.key === "/" && !find("words").value) event.preventDefault(); // the key that leads here
      if (event.key !== "ArrowDown" || !find("legal").firstChild) return;
      event.preventDefault();
      this.focus();
    });
    find("command").addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    document.addEventListener("pointerdown", (event) => {
      if (!event.target.closest("#menu")) this.closeMenu();
    });
    find("menu").addEventListener("keydown", (event) => {
      if (event.key !== "Escape" && event.key !== "Tab") return;
      event.preventDefault();
      event.stopPropagation();
      this.closeMenu();
    });
  }

  show(choices, isMine) {
    this.all = choices;
    this.isMine = isMine;
    find("command").hidden = !isMine;
    find("words").value = "";
    this.closeMenu(false);
    this.list();
  }

  // The legal actions that hold every word that is typed, those that begin with them first.
  found() {
    const words = find("words").value.trim().toLowerCase();
    const parts = words.split(/\s+/);
    const fits = this.all.filter(([, text]) => parts.every((part) => text.toLowerCase().includes(part)));
    const begins = ([, text]) => text.toLowerCase().startsWith(words);
    return [...fits.filter(begins), ...fits.filter((choice) => !begins(choice))];
  }

  list() {
    const found = this.found();
    const hadFocus = find("legal").contains(document.activeElement);
    const rows = found.slice(0, FIRST_SHOWN).map(([action, text], place) =>
      makeHtml("li", {}, makeButton(text, () => this.act(action), { tabindex: place ? "-1" : "0" })));
    if (found.length > FIRST_SHOWN) rows.push(makeHtml("li", { class: "rest" }, `${found.length - FIRST_SHOWN} more: type`));
    find("legal").replaceChildren(...rows);
    if (hadFocus) this.focus();
  }

  submit() {
    const typed = find("words").value.trim();
    const exact = this.all.find(([, text]) => text.toLowerCase() === typed.toLowerCase());
    const found = this.found();
    if (exact) this.act(exact[0]);
    else if (typed && found.length === 1) this.act(found[0][0]);
    else if (typed && found.length === 0) this.act(typed);
    else if (typed) this.focus();
  }

  focus() {
    find("legal").querySelector("button")?.focus();
  }

  // --- the menu of a place ------------------------------------------------------------------------

  openMenu(element, actions) {
    const texts = new Map(this.all);
    const menu = find("menu");
    menu.replaceChildren(...actions.map((action, place) =>
      makeButton(texts.get(action), () => this.act(action), { role: "menuitem", tabindex: place ? "-1" : "0" })));
    menu.hidden = false;
    this.opener = element;
    const at = element.getBoundingClientRect();
    const box = menu.getBoundingClientRect();
    const left = Math.min(Math.max(8, at.x + at.width / 2), window.innerWidth - box.width - 8);
    const top = Math.min(at.bottom + 4, window.innerHeight - box.height - 8);
    menu.style.left = `${Math.max(8, left)}px`;
    menu.style.top = `${Math.max(8, top)}px`;
    menu.firstChild.focus();
  }

  closeMenu(returns = true) {
    const menu = find("menu");
    if (menu.hidden) return;
    const hadFocus = menu.contains(document.activeElement);
    menu.hidden = true;
    menu.replaceChildren();
    if (returns && hadFocus && this.opener?.isConnected) this.opener.focus();
  }
}
