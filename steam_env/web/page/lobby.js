// The start page: what is played, by whom, the games that this browser knows, and files.
import { find, makeButton, makeHtml, makeOption } from "./dom.js";

const KEPT = "steam_env games"; // in the browser's storage: by game, its keys and when it was used
const MOST_KEPT = 50;
const PEOPLE = [["here", "a person at this screen"], ["guest", "a person with a link"]];
const MOST_UPLOAD = 4 * 1024 * 1024;
const PACES = [["0", "at once"], ["0.5", "½ second each"], ["1", "1 second each"], ["3", "3 seconds each"]];

export function readKept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {}; // storage may be forbidden
  }
}

export function keep(id, more) {
  const kept = readKept();
  kept[id] = { title: "", keys: [], invitations: {}, ...kept[id], ...more, used: Date.now() };
  const newest = Object.entries(kept).sort((one, two) => two[1].used - one[1].used).slice(0, MOST_KEPT);
  try {
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // The game can be played all the same, until the page is closed.
  }
  return kept[id];
}

export class Lobby {
  // say(kind, fields): to the server; enter(id): open a game; complain(text).
  constructor(say, enter, complain) {
    this.say = say;
    this.enter = enter;
    this.complain = complain;
    this.games = [];
    find("setup").addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
    find("upload").addEventListener("change", (event) => this.upload(event.target));
  }

  offer(games) {
    if (this.games.length) return;
    this.games = games;
    this.game = games[0];
    this.drawGame();
  }

  select(id, label, options, value, change = () => {}) {
    const select = makeHtml("select", { id }, ...options.map(([one, text]) => makeOption(one, text)));
    select.value = value;
    select.addEventListener("change", () => change(select.value));
    return makeHtml("p", {}, makeHtml("label", { for: id }, label), " ", select);
  }

  drawGame() {
    const { game } = this;
    const pick = (id) => {
      this.game = this.games.find((one) => one.id === id);
      this.drawGame();
    };
    const rows = [this.select("which", "Game", this.games.map((one) => [one.id, one.title]), game.id, pick)];
    const variants = [["", "several seats"], ...game.variants.map((name) => [name, name])];
    if (variants.length > 1) rows.push(this.select("variant", "Kind", variants, "", () => this.drawSeats()));
    const counts = game.seats.map((count) => [String(count), String(count)]);
    rows.push(this.select("count-seats", "Seats", counts, counts[0][0], () => this.drawSeats()));
    rows.push(this.select("first-pace", "Agents act", PACES, "0.5"));
    find("choices-of-game").replaceChildren(...rows);
    find("fields").replaceChildren(...game.fields.map((field) => this.drawField(field)), this.flag("open", "All hands lie open"),
      this.input("seed", "Seed", "number", ""));
    this.drawSeats();
  }

  drawField({ name, default: usual, words, worlds, kind }) {
    const id = `field-${name}`;
    const label = name.replaceAll("_", " ");
    if (words && worlds) return this.input(id, label, "text", usual ?? "", [...words, worlds]);
    if (words) return this.select(id, label, words.map((word) => [word, word]), usual);
    if (kind === "flag") return this.flag(id, label, usual);
    return this.input(id, label, kind === "number" ? "number" : "text", usual ?? "");
  }

  input(id, label, type, value, words = []) {
    const input = makeHtml("input", { id, type, value: String(value), autocomplete: "off" });
    const row = makeHtml("p", {}, makeHtml("label", { for: id }, label), " ", input);
    if (words.length) {
      input.setAttribute("list", `${id}-words`);
      row.append(makeHtml("datalist", { id: `${id}-words` }, ...words.map((word) => makeOption(word))));
    }
    return row;
  }

  flag(id, label, value = false) {
    const box = makeHtml("input", { id, type: "checkbox" });
    box.checked = Boolean(value);
    return makeHtml("p", {}, makeHtml("label", { for: id }, label), " ", box);
  }

  drawSeats() {
    const { game } = this;
    const variant = find("variant")?.value ?? "";
    const count = variant ? 1 : Number(find("count-seats").value);
    find("count-seats").disabled = Boolean(variant);
    const before = [...document.querySelectorAll("#seats select")].map((select) => select.value);
    const names = [...PEOPLE, ...[...game.agents, ...(variant ? [] : game.scripted)].map((name) => [name, name])];
    const usual = game.scripted[Math.floor(game.scripted.length / 2)] ?? game.agents[0];
    const rows = [...Array(count).keys()].map((seat) => {
      const known = names.some(([name]) => name === before[seat]);
      return this.select(`seat-${seat}`, `player_${seat}`, names, known ? before[seat] : seat ? usual : "here");
    });
    find("seats").replaceChildren(...rows);
  }

  seats() {
    return [...document.querySelectorAll("#seats select")].map((select) => select.value);
  }

  readFields() {
    const fields = {};
    for (const { name, default: usual, words, kind } of this.game.fields) {
      const input = find(`field-${name}`);
      let value = input.type === "checkbox" ? input.checked : input.value.trim();
      if (!words && kind !== "flag") value = value === "" ? null : /^\d+$/.test(value) ? Number(value) : value;
      if (value !== (usual ?? null)) fields[name] = value;
    }
    return fields;
  }

  // Whether the server is making a game: an agent may have to be loaded first.
  wait(on) {
    find("begin").disabled = on;
    find("begin").textContent = on ? "Beginning …" : "Begin";
  }

  begin() {
    this.wait(true);
    const variant = find("variant")?.value;
    const seed = find("seed").value;
    this.say("create", {
      game: this.game.id,
      fields: this.readFields(),
      seats: this.seats(),
      open: find("open").checked,
      pace: Number(find("first-pace").value),
      ...(variant ? { variant } : {}),
      ...(seed === "" ? {} : { seed: Number(seed) }),
    });
  }

  async upload(input) {
    const [file] = input.files;
    if (!file) return;
    if (file.size > MOST_UPLOAD) this.complain("This file is too large.");
    else this.say("load", { form: file.name.endsWith(".toml") ? "scenario" : "game", content: await file.text(), seats: this.seats() });
    input.value = "";
  }

  listKept() {
    const rows = Object.entries(readKept()).map(([id, { title, used }]) =>
      makeHtml("li", {}, makeButton(`${title || id}, ${new Date(used).toLocaleString()}`, () => this.enter(id))));
    find("mine").replaceChildren(...(rows.length ? rows : [makeHtml("li", { class: "rest" }, "none yet")]));
  }
}
