// The picture: layers as the server draws them, and above them the places that can be clicked.
import { find, make, SVG } from "./dom.js";

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const LINE_SIGN = 16; // height of the number of a place that a line of play touches, in the picture's unit
const SIDEWAYS = 2.5; // how much farther away a place counts that does not lie straight ahead

export class Board {
  // choose(spot, name, element): somebody chose a place; look(spot, element): looks at it, or no more (null).
  constructor(choose, look) {
    this.choose = choose;
    this.look = look;
    this.groups = {};
    this.spots = {};
    this.current = null;
    for (const id of ["map", "panel"]) this.listen(find(id));
  }

  listen(svg) {
    const nameOf = (event) => event.target.closest?.("[data-spot]")?.dataset.spot;
    svg.addEventListener("click", (event) => nameOf(event) && this.activate(nameOf(event)));
    svg.addEventListener("keydown", (event) => {
      const name = nameOf(event);
      if (!name) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        event.stopPropagation();
        this.activate(name);
      } else if (ARROWS[event.key]) {
        event.preventDefault();
        event.stopPropagation();
        this.move(ARROWS[event.key]);
      }
    });
    const show = (event) => nameOf(event) && this.look(this.spots[nameOf(event)], event.target);
    svg.addEventListener("pointerover", show);
    svg.addEventListener("focusin", (event) => {
      if (nameOf(event)) this.setCurrent(nameOf(event));
      if (event.target.matches(":focus-visible")) show(event);
    });
    for (const kind of ["pointerout", "focusout"]) svg.addEventListener(kind, () => this.look(null));
  }

  activate(name) {
    this.choose(this.spots[name], name, this.element(name));
  }

  element(name) {
    return document.querySelector(`[data-spot="${name}"]`);
  }

  // --- what is there ------------------------------------------------------------------------------

  draw(parts) {
    const hasPicture = Boolean(parts.layers);
    for (const id of ["map", "panel"]) find(id).toggleAttribute("hidden", !hasPicture);
    find("table").hidden = !hasPicture;
    find("text-board").hidden = hasPicture;
    if (!hasPicture) {
      find("text-board").textContent = parts.board;
      this.spots = {};
      return;
    }
    this.drawLayers(parts.layers, parts.panel);
    for (const id of ["map", "panel"]) find(id).setAttribute("viewBox", parts.boxes[id].join(" "));
    this.drawSpots(parts.spots, parts.places);
    this.drawLine();
  }

  drawLayers(layers, panel) {
    const names = Object.keys(layers);
    if (names.join() !== Object.keys(this.groups).join()) {
      for (const id of ["map", "panel"]) find(id).querySelector(".layers").replaceChildren();
      this.groups = {};
      for (const name of names) {
        const group = make(SVG, "g", { class: name });
        find(panel.includes(name) ? "panel" : "map").querySelector(".layers").append(group);
        this.groups[name] = { group, text: null };
      }
    }
    for (const [name, text] of Object.entries(layers)) {
      const entry = this.groups[name];
      if (entry.text === text) continue;
      entry.text = text;
      entry.group.innerHTML = text;
    }
  }

  drawSpots(spots, places) {
    const focused = document.activeElement?.dataset?.spot;
    this.spots = spots;
    const parents = { map: [], panel: [] };
    for (const [name, spot] of Object.entries(spots)) {
      const kind = name.split(":")[0];
      const node = make(SVG, "path", {
        d: places[name],
        class: `spot spot-${kind}${spot.legal.length ? " legal" : ""}`,
        "data-spot": name,
        role: spot.legal.length || spot.other.length ? "button" : "img",
        tabindex: "-1",
        "aria-label": spot.text ? `${spot.title}: ${spot.text}` : spot.title,
      });
      parents[spot.panel ? "panel" : "map"].push(node);
    }
    for (const [id, nodes] of Object.entries(parents)) find(id).querySelector(".spots").replaceChildren(...nodes);
    const reachable = this.reachable();
    if (!reachable.includes(this.current)) this.current = reachable[0] ?? null;
    if (this.current) this.element(this.current).setAttribute("tabindex", "0");
    if (focused) this.focus(spots[focused] ? focused : this.current);
  }

  // --- a line of play -----------------------------------------------------------------------------

  // Draw what a line of play touches: its places with their numbers, joined in order, and track as it would lie then.
  drawLine(line = [], ahead = {}) {
    for (const node of document.querySelectorAll(".picture .ahead")) node.remove();
    for (const [name, text] of Object.entries(ahead)) {
      const entry = this.groups[name];
      if (!entry || entry.text === text) continue;
      const ghost = make(SVG, "g", { class: "ahead" });
      ghost.innerHTML = text;
      entry.group.before(ghost);
    }
    for (const id of ["map", "panel"]) {
      const group = find(id).querySelector(".plan");
      const steps = line.map((step, place) => ({ ...step, number: place + 1 })).filter(({ place, panel }) => place && panel === (id === "panel"));
      group.replaceChildren();
      this.drawPlaces(group, steps);
    }
  }

  drawPlaces(group, steps) {
    const middles = steps.map(({ place }) => {
      const outline = make(SVG, "path", { d: place, class: "outline" });
      group.append(outline);
      const box = outline.getBBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    });
    if (middles.length > 1) group.append(make(SVG, "path", { d: `M${middles.join("L")}`, class: "way" }));
    const numbers = new Map(); // by middle: places that are touched several times have one sign
    steps.forEach(({ number }, place) => {
      const key = middles[place].join();
      numbers.set(key, [...(numbers.get(key) ?? []), number]);
    });
    for (const [key, here] of numbers) {
      const [x, y] = key.split(",").map(Number);
      const text = here.join(", ");
      const width = Math.max(LINE_SIGN, 7 * text.length + 6);
      group.append(
        make(SVG, "rect", { x: x - width / 2, y: y - LINE_SIGN / 2, width, height: LINE_SIGN, rx: LINE_SIGN / 2 }),
        make(SVG, "text", { x, y: y + 4, class: "m b" }, text),
      );
    }
  }

  // --- the keyboard -------------------------------------------------------------------------------

  reachable() {
    const names = Object.keys(this.spots);
    const legal = names.filter((name) => this.spots[name].legal.length);
    return legal.length ? legal : names;
  }

  setCurrent(name) {
    if (this.current) this.element(this.current)?.setAttribute("tabindex", "-1");
    this.current = name;
    this.element(name).setAttribute("tabindex", "0");
  }

  focus(name = this.current) {
    if (name) this.element(name)?.focus();
  }

  middle(name) {
    const box = this.element(name).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  move([right, down]) {
    const [x, y] = this.middle(this.current);
    let best = null;
    for (const name of this.reachable()) {
      const [otherX, otherY] = this.middle(name);
      const ahead = (otherX - x) * right + (otherY - y) * down;
      const aside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
      if (name === this.current || ahead < 1) continue;
      const distance = ahead + SIDEWAYS * aside;
      if (!best || distance < best.distance) best = { name, distance };
    }
    if (!best) return;
    this.setCurrent(best.name);
    this.focus();
  }
}
