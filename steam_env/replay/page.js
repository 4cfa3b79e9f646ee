"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { elements, layers, frames, steps, log, names, seats } = data;
  const last = frames.length - 1;
  const STEP_MILLISECONDS = 900;
  const SHOWN_ACTIONS = 8;
  const THEMES = ["auto", "light", "dark"];
  const find = (id) => document.getElementById(id);
  const groups = names.map((name) => document.querySelector(`.picture g.${name}`));
  const shown = names.map(() => -1);
  let at = 0;
  let timer = 0;

  function make(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  const makeBadge = (seat) => make("span", { class: `badge seat-${seat}`, "aria-hidden": "true" }, String(seat));
  const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
  const percent = (share) => (share > 0 && share < 0.01 ? "<1 %" : `${Math.round(100 * share)} %`);

  // --- the board ----------------------------------------------------------------------------------

  function drawBoard(frame) {
    frame.forEach((layer, place) => {
      if (layer === shown[place]) return;
      shown[place] = layer;
      groups[place].innerHTML = layers[layer].map((element) => elements[element]).join("");
    });
  }

  function markChosen(text) {
    for (const title of document.querySelectorAll(".picture title")) {
      title.parentNode.classList.toggle("chosen", title.textContent === text);
    }
  }

  function tellStatus(step) {
    const status = find("status");
    const badge = find("badge");
    const round = make("span", { class: "round" }, `${data.round[0].toUpperCase()}${data.round.slice(1)} ${step.round} · `);
    const over = step.seat === null;
    badge.hidden = over;
    badge.className = over ? "badge" : `badge seat-${step.seat}`;
    badge.textContent = over ? "" : step.seat;
    const words = over ? step.text[0].toUpperCase() + step.text.slice(1) : `player_${step.seat} decides: ${step.text}`;
    status.replaceChildren(round, words);
    if (step.plays) status.append(" → ", make("span", { class: "plays" }, step.plays));
    find("about").textContent = step.about;
  }

  // --- policy and points ----------------------------------------------------------------------------

  const hasPolicy = steps.some((step) => step.policy);

  function drawPolicy(step) {
    find("policy").hidden = !hasPolicy;
    if (!hasPolicy) return;
    const { p = [], v, n = {}, q = {}, line = [] } = step.policy || {};
    find("value").textContent = v === undefined ? "" : `value ${signed(v)}`;
    find("line").textContent = line.length > 1 ? `expects ${line.join(" → ")}` : "";
    const bars = find("bars");
    bars.className = step.seat === null ? "" : `seat-${step.seat}`;
    bars.replaceChildren();
    if (!step.policy) bars.append(make("li", { class: "rest" }, "not known here"));
    let head = p.slice(0, SHOWN_ACTIONS);
    const played = p.find(([text]) => text === step.plays);
    if (played && !head.includes(played)) head = [...head.slice(0, -1), played];
    for (const [text, share] of head) bars.append(makeBar(text, share, text === step.plays, "", tellTries(n[text], q[text])));
    const others = p.length - head.length;
    if (others) {
      const left = p.filter((entry) => !head.includes(entry)).reduce((sum, entry) => sum + entry[1], 0);
      bars.append(makeBar(`${others} more`, left, false, "rest"));
    }
  }

  const tellTries = (count, value) => (count ? `tried ${count} ×${value === undefined ? "" : `, ${signed(value)}`}` : "");

  function makeBar(text, share, played, kind = "", tries = "") {
    const fill = make("i");
    fill.style.width = `${100 * share}%`;
    return make(
      "li",
      { class: played ? "played" : kind },
      make("span", { class: "name", title: text }, text),
      make("span", { class: "bar", "aria-hidden": "true" }, fill),
      make("span", { class: "share" }, percent(share)),
      ...(tries ? [make("span", { class: "tries" }, tries)] : []),
    );
  }

  function drawPoints(step) {
    const [total, ...parts] = data.parts;
    const columns = [...parts, total];
    const head = make("tr", {}, make("th", { scope: "col" }, make("span", { class: "spoken" }, "seat")));
    head.append(...columns.map((name) => make("th", { scope: "col" }, name)));
    document.querySelector("#points thead").replaceChildren(head);
    const rows = step.scores.map(([sum, ...values], seat) => {
      const name = make("th", { scope: "row" });
      if (!data.solo) name.append(makeBadge(seat));
      name.append(data.solo ? "" : make("span", { class: "spoken" }, seats[seat].name));
      const row = make("tr", { class: !data.solo && seat === step.seat ? "decides" : "" }, name);
      row.append(...[...values, sum].map((value) => make("td", {}, String(value))));
      return row;
    });
    document.querySelector("#points tbody").replaceChildren(...rows);
  }

  function drawChart() {
    const chart = find("chart");
    chart.setAttribute("viewBox", `0 0 ${Math.max(last, 1)} ${most - least}`);
    const add = (kind, path) => {
      const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("class", kind);
      line.setAttribute("d", path);
      chart.append(line);
      return line;
    };
    const rounds = steps.map((step, number) => (number && step.round !== steps[number - 1].round ? `M${number} 0V${most - least}` : ""));
    add("rounds", rounds.join(""));
    seats.forEach((_, seat) => {
      const points = steps.map((step, number) => `${number} ${most - step.scores[seat][0]}`);
      add(data.solo ? "line" : `line seat-${seat}`, `M${points.join("L")}`);
    });
    return add("cursor", "");
  }

  const most = Math.max(1, ...steps.flatMap((step) => step.scores.map(([sum]) => sum)));
  const least = Math.min(0, ...steps.flatMap((step) => step.scores.map(([sum]) => sum)));
  const cursor = drawChart();

  function moveCursor() {
    cursor.setAttribute("d", `M${at} 0V${most - least}`);
  }

  // --- the log ----------------------------------------------------------------------------------------

  const lines = log.map(([step, actor, text, headline]) => {
    const button = make("button", { type: "button", tabindex: "-1" });
    const name = actor === null ? "" : `player_${actor} `;
    if (actor !== null) button.append(makeBadge(actor));
    const words = make("span", {}, actor === null ? text : text.slice(name.length));
    if (name) words.prepend(make("span", { class: "spoken" }, name));
    button.append(words);
    button.addEventListener("click", () => go(step));
    return make("li", { class: headline ? "headline" : "" }, button);
  });
  find("log").append(...lines);

  function markLines(step) {
    const [begin, end] = step.lines;
    lines.forEach((line, number) => {
      const current = number >= begin && number < end;
      line.classList.toggle("current", current);
      line.classList.toggle("future", number >= end);
      line.firstChild.tabIndex = number === Math.max(begin, end - 1) ? 0 : -1;
      if (current) line.firstChild.setAttribute("aria-current", "step");
      else line.firstChild.removeAttribute("aria-current");
    });
    scrollTo(lines[Math.max(Math.min(begin, end - 1), 0)], lines[Math.max(end - 1, 0)]);
  }

  function scrollTo(from, to) {
    const box = find("log");
    const top = from.offsetTop;
    const bottom = to.offsetTop + to.offsetHeight;
    const room = box.clientHeight;
    if (top < box.scrollTop || bottom - top > room) box.scrollTop = top - 8;
    else if (bottom > box.scrollTop + room) box.scrollTop = bottom - room + Math.min(80, room / 3);
  }

  // --- moving about -----------------------------------------------------------------------------------

  function go(step) {
    at = Math.min(Math.max(step, 0), last);
    const now = steps[at];
    drawBoard(frames[at]);
    markChosen(now.plays);
    tellStatus(now);
    drawPolicy(now);
    drawPoints(now);
    markLines(now);
    moveCursor();
    const scrub = find("scrub");
    scrub.value = at;
    scrub.setAttribute("aria-valuetext", `${at} of ${last}, ${data.round} ${now.round}`);
    find("count").textContent = `step ${at} of ${last}`;
    for (const id of ["first", "turn-back", "back"]) find(id).disabled = at === 0;
    for (const id of ["step", "turn-on", "last"]) find(id).disabled = at === last;
    remember();
    if (at === last) pause();
  }

  function remember() {
    try {
      history.replaceState(null, "", `#${at}`);
    } catch {
      // Some viewers of local files forbid it; the page works without.
    }
  }

  const turnOf = (step) => `${steps[step].round} ${steps[step].seat}`;

  function goTurn(direction) {
    let step = at + direction;
    if (direction < 0) while (step > 0 && turnOf(step) === turnOf(step - 1)) step -= 1;
    else while (step < last && turnOf(step) === turnOf(at)) step += 1;
    go(step);
  }

  function play() {
    if (at === last) go(0);
    const tick = () => {
      go(at + 1);
      if (timer) timer = setTimeout(tick, STEP_MILLISECONDS / find("speed").value);
    };
    timer = setTimeout(tick, STEP_MILLISECONDS / find("speed").value);
    showPlaying(true);
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    showPlaying(false);
  }

  function showPlaying(playing) {
    const button = find("play");
    button.classList.toggle("playing", playing);
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
    find("status").setAttribute("aria-live", playing ? "off" : "polite");
  }

  const toggle = () => (timer ? pause() : play());

  // --- switches -----------------------------------------------------------------------------------------

  function flip(button, target, name, inverse = false) {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    target.classList.toggle(name, on !== inverse);
  }

  const flipChoices = () => flip(find("choices"), document.body, "hide-choices", true);
  const flipZoom = () => flip(find("zoom"), find("board"), "zoomed");

  function nextTheme() {
    const root = document.documentElement;
    const now = THEMES[(THEMES.indexOf(root.dataset.theme || "auto") + 1) % THEMES.length];
    root.dataset.theme = now;
    find("theme").textContent = `Theme: ${now}`;
  }

  // --- what the reader does -----------------------------------------------------------------------------

  const CLICKS = {
    first: () => go(0),
    "turn-back": () => goTurn(-1),
    back: () => go(at - 1),
    play: toggle,
    step: () => go(at + 1),
    "turn-on": () => goTurn(1),
    last: () => go(last),
    choices: flipChoices,
    zoom: flipZoom,
    theme: nextTheme,
  };
  for (const [id, act] of Object.entries(CLICKS)) find(id).addEventListener("click", act);
  find("scrub").addEventListener("input", (event) => go(Number(event.target.value)));
  find("chart").addEventListener("click", (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * last));
  });

  const KEYS = {
    ArrowRight: (event) => (event.shiftKey ? goTurn(1) : go(at + 1)),
    ArrowLeft: (event) => (event.shiftKey ? goTurn(-1) : go(at - 1)),
    Home: () => go(0),
    End: () => go(last),
    " ": toggle,
    c: flipChoices,
    m: flipZoom,
    t: nextTheme,
  };
  document.addEventListener("keydown", (event) => {
    const act = KEYS[event.key];
    const typed = event.target.tagName;
    if (!act || event.ctrlKey || event.altKey || event.metaKey || typed === "SELECT") return;
    if (event.key === " " && typed === "BUTTON") return; // the button's own key
    event.preventDefault();
    act(event);
  });

  const readHash = () => Number.parseInt(location.hash.slice(1), 10) || 0;
  window.addEventListener("hashchange", () => {
    if (readHash() !== at) go(readHash());
  });

  seats.forEach(({ name, player }, seat) => {
    if (!player) return;
    const words = make("span", {}, make("span", { class: "spoken" }, `${name}: `), player);
    find("players").append(make("li", {}, makeBadge(seat), words));
  });
  go(readHash());
})();
