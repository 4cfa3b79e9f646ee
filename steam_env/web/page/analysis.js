// The sides of a game beside its board: points, the story, the curve, an adviser's bars, the costly decisions.
import { find, make, makeBadge, makeButton, makeHtml, SVG } from "./dom.js";

const SHOWN_ACTIONS = 8;

const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
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

export function drawBars({ agent, action, probabilities, value, tries, line }, texts, seat, choose) {
  find("adviser").textContent = `${agent} would play`;
  find("value").textContent = value === null ? "" : `value ${signed(value)}`;
  const shares = Object.entries(probabilities ?? { [action]: 1 }).map(([one, share]) => [Number(one), share]);
  shares.sort((one, two) => two[1] - one[1]);
  const rows = shares.slice(0, SHOWN_ACTIONS).map(([one, share]) => {
    const fill = makeHtml("i");
    fill.style.width = `${100 * share}%`;
    const name = makeButton(texts.get(one) ?? `action ${one}`, () => choose(one), { class: "name" });
    const bar = makeHtml("span", { class: "bar", "aria-hidden": "true" }, fill);
    const told = makeHtml("span", { class: "share" }, probabilities ? percent(share) : "");
    const row = makeHtml("li", { class: one === action ? "played" : "" }, name, bar, told);
    if (tries[one]) row.append(makeHtml("span", { class: "tries" }, tellTries(...tries[one])));
    return row;
  });
  find("bars").className = seat === null ? "" : `seat-${seat}`;
  find("bars").replaceChildren(...rows);
  find("line").replaceChildren(...(line.length > 1 ? line.map(({ text }) => makeHtml("li", {}, text)) : []));
}

const tellTries = (count, value) => `tried ${count} ×${value === null ? "" : `, ${signed(value)}`}`;

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
  // go(step, event): somebody chose a line; event is null where there is nothing to be seen in the middle of its step.
  constructor(go) {
    this.go = go;
    this.lines = [];
  }

  // Lines from a place on.
  hear({ from, lines }) {
    this.lines = [...this.lines.slice(0, from), ...lines];
    const log = find("log");
    while (log.children.length > from) log.lastChild.remove();
    log.append(...lines.map((line) => this.makeLine(line)));
  }

  makeLine([step, actor, text, kind, event]) {
    const button = makeButton("", () => this.go(step, event), { tabindex: "-1" });
    if (actor !== null) button.append(makeBadge(actor), makeHtml("span", { class: "spoken" }, `player_${actor} `));
    button.append(makeHtml("span", {}, text));
    return makeHtml("li", { class: kind }, button);
  }

  // How many lines of a step can be looked at one by one.
  count(step) {
    return this.lines.filter(([at, , , , event]) => at === step && event !== null).length;
  }

  // The lines of a moment in the middle of a step.
  tell(step, [from, end]) {
    return this.lines.filter(([at, , , , event]) => at === step && event !== null && from <= event && event < end);
  }

  // Show where in the story the position stands: at the end of a step or in the middle of one; what came later is
  // paler, or hidden.
  show(at, moment, hidesLater) {
    const rows = [...find("log").children];
    const isLater = ([step, , , , event]) => step > at || (step === at && moment !== null && event >= moment[1]);
    const isNow = ([step, , , , event], place) =>
      moment === null ? place === past : step === at && moment[0] <= event && event < moment[1];
    const past = this.lines.findLastIndex((line) => !isLater(line));
    rows.forEach((row, place) => {
      const later = isLater(this.lines[place]);
      row.hidden = later && hidesLater;
      row.classList.toggle("future", later);
      row.classList.toggle("current", isNow(this.lines[place], place));
    });
    const row = rows[past];
    if (row) find("log").scrollTop = Math.max(0, row.offsetTop + row.offsetHeight - find("log").clientHeight);
  }
}
