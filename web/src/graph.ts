// The belief graph: evidence → belief → derived, laid out by forces; what a line means is told by its sign,
// its dashes and its colour, and its weight by its width.

import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";
import type { SimulationLinkDatum, SimulationNodeDatum } from "d3-force";
import { type Doc, read } from "./api";
import { h, s } from "./dom";
import { number, t, told } from "./words";

interface Spot extends SimulationNodeDatum {
  id: string;
  kind: "belief" | "evidence";
  label: string;
  about: string;
  status: string;
  column: number;
  element?: SVGElement;
}
interface Tie extends SimulationLinkDatum<Spot> {
  kind: string;
  weight: number;
  off: boolean;
  line?: SVGElement;
  sign?: SVGElement;
}

const HEIGHT = 230;
const SIGNS: Record<string, string> = { supports: "+", refutes: "−", ends: "⊣", gives_up: "○", follows: "⇒", rival: "≠" };
const short = (words: string, most = 26): string => (words.length > most ? `${words.slice(0, most - 1)}…` : words);

class Net {
  readonly spots = new Map<string, Spot>();
  readonly ties = new Map<string, Tie>();
  readonly expanded = new Set<string>();

  /** Takes over what an explanation says, and gives whether anything was new. */
  add(why: Doc, column = 0): void {
    this.expanded.add(why.id);
    const about = `${why.subject} / ${why.attribute}`;
    this.belief(why, about, column);
    this.grounds(why.id, why.grounds, column);
    for (const rival of why.rivals) {
      this.belief(rival, about, column);
      this.tie(why.id, rival.id, "rival", 0, false);
      this.grounds(rival.id, rival.grounds, column);
    }
    for (const one of why.follows_from)
      for (const premise of one.premises) {
        this.belief(premise, `${premise.subject} / ${premise.attribute}`, column - 1);
        this.tie(premise.id, why.id, "follows", 4 * one.strength, !one.applies);
      }
  }

  private grounds(belief: string, grounds: Doc[], column: number): void {
    for (const one of grounds) {
      this.spot({ id: one.evidence, kind: "evidence", label: one.source, about: `“${one.text ?? ""}”`, status: "", column: column - 1 });
      this.tie(one.evidence, belief, one.stance, one.mass, !one.counted);
    }
  }

  private belief(one: Doc, about: string, column: number): void {
    const sure = one.confidence === undefined ? "" : ` ${number(one.confidence)}`;
    this.spot({ id: one.id, kind: "belief", label: `${one.value}${sure}`, about, status: one.status ?? "", column });
  }

  private spot(one: Spot): void {
    const near = one.column * 230;
    if (!this.spots.has(one.id)) this.spots.set(one.id, { ...one, x: near, y: (this.spots.size % 7) * 40 - 120 });
  }

  private tie(source: string, target: string, kind: string, weight: number, off: boolean): void {
    const name = kind === "rival" ? [source, target].sort().join() : `${source}>${target}`;
    if (!this.ties.has(name)) this.ties.set(name, { source, target, kind, weight, off });
  }
}

/** The graph around what a belief rests on; `open` is told which belief somebody wants to see by itself. */
export function graph(why: Doc, open: (belief: string) => void): HTMLElement {
  // On a narrow screen less is shown at once, at the same size of letters.
  const WIDTH = innerWidth < 760 ? 520 : 900;
  const net = new Net();
  net.add(why);
  const lines = s("g");
  const nodes = s("g");
  const svg = s("svg", { class: "picture", viewBox: `${-WIDTH / 2} ${-HEIGHT / 2} ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": t("graph") }, lines, nodes);
  const said = h("span", { role: "status" }, t("hint"));
  const simulation = forceSimulation<Spot>()
    .force("charge", forceManyBody().strength(-260).distanceMax(400))
    .force("collide", forceCollide<Spot>((one) => (one.kind === "belief" ? 36 : 17)))
    .force("x", forceX<Spot>((one) => one.column * 230 + 100).strength(0.25))
    .force("y", forceY(0).strength(0.09))
    .alphaMin(0.02)
    .stop();

  const place = (): void => {
    for (const one of net.spots.values()) one.element?.setAttribute("transform", `translate(${one.x} ${one.y})`);
    for (const one of net.ties.values()) {
      const [a, b] = [one.source as Spot, one.target as Spot];
      const [mx, my] = [(a.x! + b.x!) / 2, (a.y! + b.y!) / 2];
      one.line?.setAttribute("d", `M${a.x} ${a.y}L${b.x} ${b.y}`);
      one.sign?.setAttribute("x", String(mx));
      one.sign?.setAttribute("y", String(my - 4));
    }
  };
  const fit = (): void => {
    const all = [...net.spots.values()];
    const [xs, ys] = [all.map((one) => one.x!), all.map((one) => one.y!)];
    const [x, y] = [Math.min(...xs) - 190, Math.min(...ys) - 50];
    const [w, tall] = [Math.max(WIDTH, Math.max(...xs) + 110 - x), Math.max(HEIGHT, Math.max(...ys) + 50 - y)];
    const spare = [w - (Math.max(...xs) + 110 - x), tall - (Math.max(...ys) + 50 - y)];
    svg.setAttribute("viewBox", `${x - spare[0]! / 2} ${y - spare[1]! / 2} ${w} ${tall}`);
  };
  const draw = (): void => {
    for (const one of net.ties.values()) {
      if (one.line) continue;
      const width = one.off ? 1 : 1 + 1.3 * Math.log2(1 + one.weight);
      const kind = `${told(one.kind)}${one.weight ? `, ${t("weight")} ${number(one.weight)}` : ""}${one.off ? `, ${t("not_counted")}` : ""}`;
      one.line = s("path", { class: `edge ${one.kind}${one.off ? " off" : ""}`, "stroke-width": width.toFixed(1) }, s("title", {}, kind));
      one.sign = s("text", { class: `sign ${one.kind}`, "aria-hidden": "true" }, SIGNS[one.kind] ?? "");
      lines.append(one.line, one.sign);
    }
    for (const one of net.spots.values()) if (!one.element) nodes.append((one.element = drawn(one)));
    simulation.nodes([...net.spots.values()]).force("link", forceLink<Spot, Tie>([...net.ties.values()]).id((one) => one.id).distance(130).strength(0.35));
    // The layout is worked out before it is shown: nothing jitters, and a thousand nodes cost one pause.
    simulation.alpha(1).tick(net.spots.size > 300 ? 60 : 160);
    place();
    fit();
  };
  const expand = async (one: Spot): Promise<void> => {
    said.textContent = `${one.about} ${one.label} ${told(one.status)}`;
    if (one.kind !== "belief") return;
    if (net.expanded.has(one.id)) return open(one.id);
    try {
      net.add(await read("why", { belief: one.id }), one.column);
      draw();
    } catch (failure) {
      said.textContent = (failure as Error).message;
    }
  };
  const walk = (one: Spot, key: string): void => {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] as [number, number];
    const cost = (other: Spot): number => {
      const [x, y] = [other.x! - one.x!, other.y! - one.y!];
      const ahead = x * dx + y * dy;
      return ahead <= 0 ? Infinity : ahead + 2 * Math.abs(x * dy + y * dx);
    };
    const next = [...net.spots.values()].filter((other) => other !== one).sort((a, b) => cost(a) - cost(b))[0];
    if (next && cost(next) < Infinity) next.element?.focus();
  };
  const drawn = (one: Spot): SVGElement => {
    const shape = one.kind === "belief" ? s("circle", { r: 13 }) : s("rect", { x: -8, y: -8, width: 16, height: 16, rx: 2 });
    const name = `${t(one.kind)}: ${one.label}. ${one.about}. ${told(one.status)}`;
    const element = s(
      "g",
      {
        class: `node ${one.kind} ${one.status} ${one.id === why.id ? "center" : ""}`, tabindex: 0, role: "button", "aria-label": name, "data-id": one.id,
        keydown: (event: KeyboardEvent) => {
          if (event.key === "Enter" || event.key === " ") void expand(one);
          else if (event.key.startsWith("Arrow")) walk(one, event.key);
          else return;
          event.preventDefault();
        },
        focus: () => { said.textContent = `${one.about} ${one.label} ${told(one.status)}`; },
      },
      s("title", {}, name), shape, one.kind === "belief" ? s("text", { y: 29 }, short(one.label)) : s("text", { x: -14, y: 4 }, short(one.label)),
    );
    dragged(svg as SVGSVGElement, element, one, place, () => void expand(one));
    return element;
  };
  draw();
  return h("figure", { class: "graph" }, svg, h("figcaption", {}, ...["supports", "refutes", "follows", "rival"].map((kind) =>
    h("span", {}, s("svg", { class: "key", viewBox: "0 0 26 8", "aria-hidden": "true" }, s("path", { class: `edge ${kind}`, d: "M0 4H26", "stroke-width": 2.5 })), `${SIGNS[kind]} ${told(kind)}`)), said));
}

/** Lets a node be dragged; a press that moved nothing is a click. */
function dragged(svg: SVGSVGElement, element: SVGElement, one: Spot, moved: () => void, clicked: () => void): void {
  let from: [number, number] | null = null;
  let far = false;
  element.addEventListener("pointerdown", (event) => {
    from = [event.clientX, event.clientY];
    far = false;
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (!from) return;
    if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 4) far = true;
    if (!far) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()!.inverse());
    [one.x, one.y] = [at.x, at.y];
    moved();
  });
  element.addEventListener("pointerup", () => {
    if (from && !far) clicked();
    from = null;
  });
}
