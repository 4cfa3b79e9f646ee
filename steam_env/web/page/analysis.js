// The sides of a game beside its board: points, the story, the curve, an adviser's bars, the costly decisions.
import { find, make, makeBadge, makeButton, makeHtml, SVG } from "./dom.js";

const SHOWN_ACTIONS = 8;
const LINE_MILLISECONDS = 450; // between lines of the story that are told one by one
const LONG_STORY = 40; // lines that are not told one by one

const percent = (share) => (share > 0 && share < 0.01 ? "<1 %" : `${Math.round(100 * share)} %`);

export function drawPoints(state) {
  const [total, ...parts] = state.score_parts;
  const columns = [...parts, total];
  const head = makeHtml("tr", {}, makeHtml("th", { scope: "col" }, makeHtml("span", { class: "spoken" }, "seat")));
  head.append(...columns.map((name) => makeHtml("th", { scope: "col" }, name)));
  document.querySelector("#points thead").replaceChildren(head);
  const rows = state.parts.scores.map(([sum, ...values], seat) => {
    const name = makeHtml("th", { scope: "row" });
    name.append(state.solo ? "points" : makeBadge(seat), state.solo ? "" : makeHtml("span", { class: "spoken" }, `player_${seat}`));
    const row = makeHtml("tr", { class: !state.solo && seat === state.parts.decides ? "decides" : "" }, name);
    row.append(...[...values, sum].map((value) => makeHtml("td", {}, String(value))));
    return row;
  });
  document.querySelector("#points tbody").replaceChildren(...rows);
}

export function drawBars({ agent, action, probabilities, value }, texts, seat, choose) {
  find("policy").hidden = false;
  find("adviser").textContent = `${agent} would play`;
  find("value").textContent = value === null ? "" : `value ${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
  const shares = Object.entries(probabilities ?? { [action]: 1 }).map(([one, share]) => [Number(one), share]);
  shares.sort((one, two) => two[1] - one[1]);
  const rows = shares.slice(0, SHOWN_ACTIONS).map(([one, share]) => {
    const fill = makeHtml("i");
    fill.style.width = `${100 * share}%`;
    const name = makeButton(texts.get(one) ?? `action ${one}`, () => choose(one), { class: "name" });
    const bar = makeHtml("span", { class: "bar", "aria-hidden": "true" }, fill);
    const told = makeHtml("span", { class: "share" }, probabilities ? percent(share) : "");
    return makeHtml("li", { class: one === action ? "played" : "" }, name, bar, told);
  });
  find("bars").className = seat === null ? "" : `seat-${seat}`;
  find("bars").replaceChildren(...rows);
}

export function drawCostly(costly, go) {
  const rows = costly.map(({ step, seat, played, better, cost, unit }) => {
    const words = `step ${step}: ${played}; better ${better}, by ${cost.toFixed(2)} ${unit === "value" ? "of value" : "points"}`;
    const button = makeButton("", () => go(step));
    button.append(makeBadge(seat), " ", words);
    return makeHtml("li", {}, button);
  });
  find("costly").replaceChildren(...(rows.length ? rows : [makeHtml("li", { class: "rest" }, "no decision was worse than the adviser's")]));
}

// --- the curve ------------------------------------------------------------------------------------------

export function drawChart(curve, values, movers, at) {
  const chart = find("chart");
  const last = Math.max(curve.length - 1, 1);
  const least = Math.min(0, ...curve.flat());
  const most = Math.max(1, ...curve.flat());
  const height = most - least;
  chart.setAttribute("viewBox", `0 0 ${last} ${height}`);
  chart.replaceChildren();
  const add = (kind, path) => path && chart.append(make(SVG, "path", { class: kind, d: path }));
  for (const seat of (curve[0] ?? []).keys()) {
    add(`line seat-${seat}`, `M${curve.map((points, step) => `${step} ${most - points[seat]}`).join("L")}`);
  }
  const known = values.filter((value) => value !== null);
  if (known.length > 1) {
    const low = Math.min(...known);
    const scale = height / Math.max(Math.max(...known) - low, 1e-9);
    for (const seat of new Set(movers)) {
      const points = values.flatMap((value, step) => (value === null || movers[step] !== seat ? [] : [`${step} ${height - (value - low) * scale}`]));
      if (points.length > 1) add(`value seat-${seat}`, `M${points.join("L")}`);
    }
  }
  add("cursor", `M${at} 0V${height}`);
}

// --- the story ------------------------------------------------------------------------------------------

export class Story {
  constructor(go) {
    this.go = go;
    this.lines = [];
    this.told = 0;
    this.timer = 0;
    find("tell-next").addEventListener("click", () => this.next());
    find("tell-all").addEventListener("click", () => this.all());
  }

  // Lines from a place on; those that are new are told one by one where `slowly`.
  hear({ from, lines }, slowly, at) {
    this.lines = [...this.lines.slice(0, from), ...lines];
    const log = find("log");
    while (log.children.length > from) log.lastChild.remove();
    log.append(...lines.map((line) => this.makeLine(line)));
    this.told = Math.min(this.told, from);
    if (!slowly || this.lines.length - this.told > LONG_STORY) this.told = this.lines.length;
    this.at = at;
    this.show();
    this.goOn();
  }

  makeLine([step, actor, text, kind]) {
    const button = makeButton("", () => this.go(step), { tabindex: "-1" });
    if (actor !== null) button.append(makeBadge(actor), makeHtml("span", { class: "spoken" }, `player_${actor} `));
    button.append(makeHtml("span", {}, text));
    return makeHtml("li", { class: kind }, button);
  }

  show() {
    const rows = [...find("log").children];
    rows.forEach((row, number) => {
      row.hidden = number >= this.told;
      row.classList.toggle("current", number === this.told - 1);
      row.classList.toggle("future", this.at !== null && this.lines[number][0] > this.at);
    });
    const untold = this.lines.length - this.told;
    find("untold").hidden = !untold;
    find("count-untold").textContent = untold ? `${untold} more lines` : "";
    const past = this.at === null ? this.told - 1 : this.lines.findLastIndex(([step]) => step <= this.at);
    const row = rows[past];
    if (row) find("log").scrollTop = Math.max(0, row.offsetTop + row.offsetHeight - find("log").clientHeight);
  }

  goOn() {
    clearTimeout(this.timer);
    if (this.told < this.lines.length) this.timer = setTimeout(() => this.next(), LINE_MILLISECONDS);
  }

  next() {
    if (this.told >= this.lines.length) return;
    this.told += 1;
    this.show();
    this.goOn();
  }

  all() {
    clearTimeout(this.timer);
    this.told = this.lines.length;
    this.show();
  }
}
