// Puts the page together: what the server says, what the person does.
import { drawBars, drawChart, drawCostly, drawPoints, Story } from "./analysis.js";
import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { find, makeBadge, makeButton, makeHtml, makeOption } from "./dom.js";
import { keep, Lobby, readKept } from "./lobby.js";
import { Talk } from "./talk.js";

const THEMES = ["auto", "light", "dark"];
const PACES = [["", "until told"], ["0", "not at all"], ["0.2", "⅕ second"], ["0.5", "½ second"], ["1", "1 second"], ["3", "3 seconds"]];
const PEOPLE = ["here", "guest"];
const WALKS = [["auto", "shown one thing after the other"], ["key", "shown when I press On"], ["none", "not shown"]];
const WALK_MILLISECONDS = 900; // that a moment of a scripted turn is shown, and for each line that tells it
const WALK_LINE_MILLISECONDS = 300;
const LONGEST_WALK_MILLISECONDS = 5000;
const KEPT_WALK = "steam_env walk"; // in the browser's storage
const RELAYED = ["act", "undo", "why", "hint"]; // messages that tell at which position they are meant

// The address: #game=ID, with key=SEAT.KEY of a seat, invitation=…, at=STEP, and token=… of the server.
const address = () => new URLSearchParams(location.hash.slice(1));
const token = address().get("token") ?? sessionStorage.getItem("token");
if (token) sessionStorage.setItem("token", token);

let state = null; // the newest position of the game
let values = [];
let movers = [];
let curve = [];
let games = [];
let wanted = null; // the game that this page is at
let walks = false; // whether what scripted opponents did is being shown, up to the newest position
let timer = 0; // of the next moment
let shown = ""; // the moment that it began with

const talk = new Talk(token, hear, complain);
const lobby = new Lobby((kind, fields) => talk.say(kind, fields), enter, complain);
const choices = new Choices(act);
const board = new Board(chooseSpot, lookAt);
const story = new Story((step, event) => lead(goTo)(step, event));

function say(kind, fields = {}) {
  talk.say(kind, RELAYED.includes(kind) ? { step: state.steps, ...fields } : fields);
}

function complain(text) {
  find("notice").textContent = text;
  find("notice").hidden = !text;
}

const capitalize = (text) => text[0].toUpperCase() + text.slice(1);
const explain = (text) => {
  find("reason").textContent = text;
};

// --- what the server says ---------------------------------------------------------------------------------

function hear(message) {
  const { kind } = message;
  if (kind === "welcome") welcome(message);
  else if (kind === "created") created(message);
  else if (kind === "joined") joined(message);
  else if (kind === "position") showPosition(message);
  else if (kind === "why") explain(message.reasons.map(({ text, reason }) => `${text}: ${reason}`).join(" · ") || "that is legal");
  else if (kind === "hint") showHint(message);
  else if (kind === "review") showReview(message);
  else if (kind === "curve") [curve, movers] = [message.scores, message.movers], drawPast();
  else if (kind === "file") download(message);
  else if (message.about === "act" || message.about === "why" || message.about === "undo") explain(message.message);
  else if (message.about === "review") endReview(message.message);
  else {
    if (message.about === "create") lobby.wait(false);
    complain(message.message);
  }
}

function welcome(message) {
  ({ games } = message);
  lobby.offer(games);
  lobby.wait(false); // an order that was lost with the connection is not waited for
  if (wanted) open(wanted);
  else route();
}

function route() {
  const asked = address();
  const id = asked.get("game");
  if (id && asked.get("invitation")) talk.say("join", { id, invitation: asked.get("invitation") });
  else if (id) enter(id);
  else showLobby();
}

function created({ id, keys, invitations }) {
  lobby.wait(false);
  keep(id, { keys: Object.values(keys), invitations });
  enter(id);
}

function joined({ id, key }) {
  keep(id, { keys: [...(readKept()[id]?.keys ?? []), key] });
  enter(id);
}

function enter(id) {
  wanted = id;
  state = null;
  const at = address().get("game") === id ? address().get("at") : null;
  history.replaceState(null, "", `#game=${id}${at === null ? "" : `&at=${at}`}`);
  open(id);
  if (at !== null) talk.say("show", { at: Number(at) });
}

function open(id) {
  talk.say("open", { id, keys: readKept()[id]?.keys ?? [] });
  talk.say("curve");
}

function showLobby() {
  wanted = null;
  talk.say("leave");
  history.replaceState(null, "", location.pathname);
  find("title").textContent = "Railway games";
  find("facts").textContent = "";
  find("players").replaceChildren();
  find("lobby").hidden = false;
  for (const id of ["game", "past", "curtain"]) find(id).hidden = true;
  lobby.listKept();
}

// --- a position -------------------------------------------------------------------------------------------

function merge(message) {
  const before = state?.parts ?? {};
  const parts = message.whole ? message.parts : { ...before, ...message.parts };
  if (parts.layer_names) {
    const layers = { ...before.layers, ...message.parts.layers };
    parts.layers = Object.fromEntries(parts.layer_names.map((name) => [name, layers[name]]));
  }
  return { ...message, parts };
}

function showPosition(message) {
  if (message.id !== wanted) return; // of a game that was left meanwhile
  const first = state === null || state.id !== message.id;
  const news = message.log.lines.find(([, , , , event]) => event !== null);
  const begins = !first && message.at === null && message.log.from > 0 && news && find("walk").value !== "none";
  state = merge(message);
  if (first) begin();
  const { parts } = state;
  story.hear(state.log);
  if (state.at === null) curve = [...curve.slice(0, state.steps), parts.scores.map(([total]) => total)];
  movers = [...movers.slice(0, state.steps), state.mover];
  if (begins) {
    walks = true;
    choices.show([], false); // those on the page are of the position before
    goTo(news[0], 0);
    return;
  }
  if (state.at === null) walks = false;
  find("title").textContent = parts.title;
  find("facts").textContent = parts.facts;
  find("about").textContent = parts.about;
  drawPlayers();
  const lay = isMine() && state.at === null;
  board.draw(parts);
  choices.show(parts.choices, lay);
  tellStatus();
  drawPoints(state);
  story.show(position(), state.moment, walks);
  drawPast();
  drawTools();
  drawCurtain();
  explain("");
  lookAt(null);
  showAdvice();
  walkOn();
}

// Go on by itself after a while, which begins anew where another moment is shown.
function walkOn() {
  const place = `${state.at} ${state.moment}`;
  if (walks && place === shown) return;
  shown = place;
  clearTimeout(timer);
  if (walks && find("walk").value === "auto") timer = setTimeout(stepOn, measureMoment());
}

// How long a moment is shown.
function measureMoment() {
  const lines = state.moment === null ? 0 : story.tell(state.at, state.moment).length;
  return Math.min(WALK_MILLISECONDS + WALK_LINE_MILLISECONDS * lines, LONGEST_WALK_MILLISECONDS);
}

const isMine = () => state.seat !== null && state.seat === state.mover && !state.over;

function begin() {
  complain("");
  find("lobby").hidden = true;
  find("game").hidden = false;
  find("points-heading").textContent = capitalize(state.words.points);
  find("past").hidden = false;
  values = [];
  find("costly").replaceChildren();
  const offered = games.find(({ id }) => id === state.game)?.agents ?? [];
  find("agents").replaceChildren(...offered.map((name) => makeOption(name)));
  find("walks").hidden = !state.scripted;
  find("pace").replaceChildren(...PACES.map(([value, text]) => makeOption(value, text)));
  keep(state.id, { title: `${state.parts.title}, ${state.seats.join(", ")}` });
}

function drawPlayers() {
  find("players").replaceChildren(...state.seats.map((name, seat) => {
    const who = state.seat === seat ? "you" : name === "guest" && state.free.includes(seat) ? "nobody yet" : name;
    return makeHtml("li", {}, makeBadge(seat), makeHtml("span", {}, makeHtml("span", { class: "spoken" }, `player_${seat}: `), who));
  }));
  const invitations = Object.entries(readKept()[state.id]?.invitations ?? {}).filter(([seat]) => state.free.includes(Number(seat)));
  find("invitations").replaceChildren(...invitations.map(([seat, one]) => {
    const copy = () => copyLink(`#game=${state.id}&invitation=${one}`);
    return makeHtml("li", {}, makeButton(`Copy the invitation of player_${seat}`, copy));
  }));
}

function tellStatus() {
  const { parts } = state;
  const over = parts.decides === null;
  find("badge").hidden = over || state.solo;
  find("badge").className = over ? "badge" : `badge seat-${parts.decides}`;
  find("badge").textContent = over ? "" : parts.decides;
  const who = state.at === null && isMine() ? "You decide" : `player_${parts.decides} decides`;
  const words = state.moment !== null ? tellMoment() : over ? capitalize(parts.asked) : `${who}: ${parts.asked}`;
  const waits = state.fault || (state.waits && state.at === null ? ` (${state.waits} ${state.pace === null ? "waits" : "thinks"})` : "");
  find("status").classList.toggle("moment", state.moment !== null);
  find("status").replaceChildren(makeHtml("span", { class: "round" }, `${capitalize(state.words.round)} ${parts.round} · `), words, " ", waits);
}

// What happens in the middle of a step.
function tellMoment() {
  const lines = story.tell(state.at, state.moment);
  const actor = lines[0][1];
  find("badge").hidden = actor === null;
  find("badge").className = `badge seat-${actor}`;
  find("badge").textContent = actor;
  const isOther = ([, who], place) => who !== null && who !== lines[place - 1]?.[1];
  return joinAlike(lines.map((line, place) => (isOther(line, place) ? `player_${line[1]} ${line[2]}` : line[2])));
}

// Sentences after each other; those that begin with the same four words are told as one.
function joinAlike(lines) {
  const start = (line) => line.split(" ", 4).join(" ");
  return lines.reduce((words, line, place) => {
    if (place === 0) return line;
    return start(line) === start(lines[place - 1]) ? `${words}, ${line.slice(start(line).length + 1)}` : `${words}; ${line}`;
  }, "");
}

function drawTools() {
  find("undo").disabled = state.undo === null;
  const isFree = state.undo !== null && state.undo >= state.back;
  find("undo").textContent = state.undo === null || isFree ? "Take back" : "Take back (noted)";
  find("hint").disabled = !isMine() || state.at !== null;
  find("review").disabled = !state.over;
  find("fork").disabled = !(state.open || state.machines);
  find("pace").value = state.pace === null ? "" : String(state.pace);
  find("pace").disabled = state.seats.every((name) => PEOPLE.includes(name));
  for (const option of find("form").options) option.disabled = !state.open && option.value !== "replay";
}

function drawPast() {
  if (!state) return;
  const at = state.at ?? state.steps;
  drawChart(curve, values, movers, at);
  find("scrub").max = state.steps;
  find("scrub").value = at;
  find("scrub").setAttribute("aria-valuetext", `step ${at} of ${state.steps}`);
  const part = state.moment === null ? "" : `, ${state.moment[1]} of ${story.count(at)}`;
  find("count").textContent = `step ${at} of ${state.steps}${part}`;
  find("back").disabled = at === 0;
  find("step").disabled = state.at === null;
  find("newest").disabled = state.at === null;
}

// People who share a screen see one hand at a time.
function drawCurtain() {
  const next = state.mine.includes(state.mover) && state.mine.length > 1 && state.seat !== state.mover && !state.open && state.at === null ? state.mover : null;
  const curtain = find("curtain");
  const opens = next !== null && curtain.hidden;
  curtain.hidden = next === null;
  for (const id of ["game", "past"]) find(id).inert = next !== null;
  if (next === null) return;
  find("curtain-text").textContent = `player_${next} takes the screen.`;
  find("lift").onclick = () => talk.say("look", { seat: next });
  if (opens) find("lift").focus();
}

// --- what the person does -----------------------------------------------------------------------------------

function act(action) {
  choices.closeMenu();
  advice = null;
  if (isMine()) say("act", { action });
  else explain(state.over ? "The game is over." : `player_${state.mover} decides.`);
}

function chooseSpot(spot, name, element) {
  if (state.at !== null) explain("This is the past: go to the newest position to act.");
  else if (spot.legal.length === 1) act(spot.legal[0]);
  else if (spot.legal.length) choices.openMenu(element, spot.legal);
  else if (isMine() && spot.other.length) say("why", { actions: spot.other.slice(0, 12) });
  else explain(spot.text ? `${spot.title}: ${spot.text}` : spot.title);
}

function lookAt(spot, element) {
  const tip = find("tip");
  tip.hidden = !spot;
  if (!spot) return;
  const texts = new Map(state.parts.choices);
  const legal = spot.legal.slice(0, 8).map((action) => texts.get(action)).filter((text) => text !== spot.title);
  tip.replaceChildren(makeHtml("b", {}, spot.title), ...[spot.text, ...legal].filter(Boolean).map((text) => makeHtml("span", {}, text)));
  const at = element.getBoundingClientRect();
  const box = tip.getBoundingClientRect();
  const top = at.y - box.height - 8;
  tip.style.left = `${Math.max(8, Math.min(at.x + at.width / 2 - box.width / 2, window.innerWidth - box.width - 8))}px`;
  tip.style.top = `${top > 4 ? top : Math.min(at.bottom + 8, window.innerHeight - box.height - 4)}px`;
}

let advice = null; // the last hint

function showHint(message) {
  if (!state) return; // the game was left meanwhile
  advice = { ...message, game: state.id };
  showAdvice();
}

// Show the hint where it was asked for, and nowhere else.
function showAdvice() {
  const fits = advice !== null && advice.game === state.id && advice.step === state.steps && state.at === null;
  find("policy").hidden = !fits;
  if (!fits) return;
  drawBars(advice, new Map(state.parts.choices), state.seat, act);
  board.drawLine(advice.line, advice.ahead);
}

function showReview({ id, values: found, costly }) {
  if (!state || id !== state.id) return;
  values = found;
  explain(found.length < state.steps ? `Time was over after ${found.length} of ${state.steps} steps.` : "");
  drawCostly(costly, lead(goTo));
  drawPast();
  endReview();
}

function endReview(fault = "") {
  complain(fault);
  find("review").disabled = !state?.over;
  find("review").textContent = "Look through";
}

// To the end of a step, or into the middle of it.
function goTo(step, event = null) {
  if (!state || step < 0 || step > state.steps) return;
  talk.say("show", { at: step === state.steps && event === null ? null : step, event });
}

// Where scripted opponents played in a step, each thing that they did is a step of its own.
function stepOn() {
  const at = position();
  if (state.moment !== null) goTo(at, state.moment[1] < story.count(at) ? state.moment[1] : null);
  else if (at < state.steps) goTo(at + 1, story.count(at + 1) ? 0 : null);
}

function stepBack() {
  const at = position();
  if (state.moment === null && story.count(at)) goTo(at, story.count(at) - 1);
  else if (state.moment !== null && state.moment[0] > 0) goTo(at, state.moment[0] - 1);
  else goTo(at - 1);
}

// Somebody goes where he likes: nothing moves on by itself any more.
function lead(go) {
  return (...to) => {
    walks = false;
    go(...to);
  };
}

function download({ name, type, content }) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  makeHtml("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

async function copyLink(hash) {
  const url = `${location.origin}${location.pathname}${hash}${token ? `&token=${token}` : ""}`;
  try {
    await navigator.clipboard.writeText(url);
    explain("The link is copied.");
  } catch {
    explain(url); // it can be copied by hand
  }
}

// --- buttons and keys ---------------------------------------------------------------------------------------

const position = () => state.at ?? state.steps;

const CLICKS = {
  home: showLobby,
  undo: () => {
    advice = null;
    say("undo");
  },
  hint: () => say("hint", { agent: find("agents").value }),
  review: () => {
    find("review").disabled = true;
    find("review").textContent = "Looking …";
    say("review", { agent: find("agents").value });
  },
  fork: () => say("fork", { at: position(), seats: state.seats.map((name) => (name === "guest" ? "here" : name)) }),
  link: () => copyLink(`#game=${state.id}&at=${position()}`),
  export: () => say("export", { form: find("form").value, at: position() }),
  back: lead(stepBack),
  step: stepOn,
  newest: lead(() => goTo(state.steps)),
  zoom: flipZoom,
  theme: nextTheme,
  keys: flipKeys,
};
for (const [id, click] of Object.entries(CLICKS)) find(id).addEventListener("click", click);
find("scrub").addEventListener("change", (event) => lead(goTo)(Number(event.target.value)));
find("pace").addEventListener("change", ({ target }) => say("pace", { seconds: target.value === "" ? null : Number(target.value) }));

find("walk").replaceChildren(...WALKS.map(([value, text]) => makeOption(value, text)));
find("walk").value = remember(KEPT_WALK) ?? "auto";
find("walk").addEventListener("change", ({ target }) => {
  remember(KEPT_WALK, target.value);
  if (walks && target.value === "auto") stepOn();
});

// What the browser's storage has, or is to have, under a name; it may be forbidden.
function remember(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function flipZoom() {
  const on = find("zoom").getAttribute("aria-pressed") !== "true";
  find("zoom").setAttribute("aria-pressed", String(on));
  find("board").classList.toggle("zoomed", on);
}

function nextTheme() {
  const root = document.documentElement;
  const now = THEMES[(THEMES.indexOf(root.dataset.theme || "auto") + 1) % THEMES.length];
  root.dataset.theme = now;
  find("theme").textContent = `Theme: ${now}`;
}

function flipKeys() {
  const shows = find("help").hidden;
  find("help").hidden = !shows;
  find("keys").setAttribute("aria-expanded", String(shows));
}

const press = (id) => () => !find(id).disabled && find(id).click();
const KEYS = {
  "/": () => find("words").focus(),
  b: () => board.focus(),
  a: () => choices.focus(),
  u: press("undo"),
  h: press("hint"),
  ",": press("back"),
  ".": press("step"),
  l: press("newest"),
  m: flipZoom,
  t: nextTheme,
  "?": flipKeys,
};
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.tagName === "INPUT") event.target.blur();
  const typed = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
  const key = KEYS[event.key.toLowerCase()];
  if (!key || typed || event.repeat || event.ctrlKey || event.altKey || event.metaKey || !find("curtain").hidden) return;
  if (!state && key !== flipKeys && key !== nextTheme) return;
  event.preventDefault();
  key(event);
});
window.addEventListener("hashchange", () => {
  if (address().get("game")) route();
});
