// The graph around a subject: beliefs, the evidence they rest on, and what follows; drawn by forces.

import { forceCenter, forceCollide, forceLink, forceManyBody, forceSimulation, type SimulationLinkDatum, type SimulationNodeDatum } from "d3-force";
import { call } from "./api";
import { h, replace, s } from "./dom";
import { valueOf } from "./parts";
import { address, state } from "./state";
import { t } from "./words";

type Kind = "entity" | "belief" | "evidence";
interface Dot extends SimulationNodeDatum { id: string; kind: Kind; text: string; status?: string; subject?: string; isOpen?: boolean }
interface Tie extends SimulationLinkDatum<Dot> { kind: "about" | "supports" | "refutes" | "derived" | "names"; weight: number }

const WIDTH = 900, HEIGHT = 560;
const short = (text: string, most = 28): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

export class Graph {
  private readonly dots = new Map<string, Dot>();
  private readonly ties = new Map<string, Tie>();
  private readonly layer = s("g", {});
  private readonly list = h("ul", { class: "nodes" });
  private readonly forces = forceSimulation<Dot>()
    .force("repel", forceManyBody().strength(-220).distanceMax(420))
    .force("centre", forceCenter(WIDTH / 2, HEIGHT / 2).strength(0.05))
    .force("apart", forceCollide(26));
  private dragged: Dot | null = null;
  readonly element: HTMLElement;

  constructor(private readonly report: (failure: unknown) => void) {
    const marker = (name: string) => s("marker", { id: name, viewBox: "0 0 8 8", refX: 8, refY: 4, markerUnits: "userSpaceOnUse", markerWidth: 9, markerHeight: 9, orient: "auto" }, s("path", { d: "M0 0L8 4L0 8z" }));
    const picture = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "group", "aria-label": t("graph") }, s("defs", {}, marker("arrow")), this.layer);
    picture.addEventListener("pointermove", (event) => this.moved(picture, event));
    for (const end of ["pointerup", "pointerleave"]) picture.addEventListener(end, () => this.dropped());
    const legend = (["supports", "refutes", "derived"] as const).map((kind) =>
      h("li", {}, s("svg", { viewBox: "0 0 28 12", class: "sample", "aria-hidden": "true" }, s("line", { class: `tie ${kind}`, x1: 0, x2: 28, y1: 6, y2: 6, "stroke-width": 2 })), ` ${kind === "supports" ? "+ " : kind === "refutes" ? "− " : ""}${t(kind)}`),
    );
    this.element = h("div", {}, h("p", { class: "quiet" }, t("expand")), picture, h("ul", { class: "legend" }, ...legend), h("details", {}, h("summary", {}, t("nodes")), this.list));
    this.forces.on("tick", () => this.drawn());
  }

  /** Take in what is held of a subject. */
  async open(subject: string): Promise<void> {
    const told = await call(state.memory, "ask", { subject }, state.scope);
    const centre = this.dot({ id: `entity ${subject}`, kind: "entity", text: subject, subject });
    centre.isOpen = true;
    for (const one of [...told.beliefs, ...told.others]) this.belief(one, centre);
    this.started();
  }

  private belief(one: any, centre: Dot): void {
    const dot = this.dot({ id: one.id, kind: "belief", text: `${one.attribute}: ${valueOf(one)}`, status: one.status, subject: one.subject });
    this.tie(centre, dot, "about", 1);
    for (const ground of one.grounds ?? []) this.ground(ground, dot);
    if (one.type === "entity") this.tie(dot, this.dot({ id: `entity ${one.value}`, kind: "entity", text: String(one.value), subject: String(one.value) }), "names", 1);
  }

  private ground(one: any, to: Dot): void {
    const words = one.text ?? one.quote;
    const dot = this.dot({ id: one.evidence, kind: "evidence", text: words ? `${one.source}: ${words}` : one.source });
    this.tie(dot, to, one.stance === "refutes" ? "refutes" : "supports", Number(one.mass ?? 1));
  }

  private async expanded(dot: Dot): Promise<void> {
    if (dot.isOpen) return;
    dot.isOpen = true;
    if (dot.kind === "entity") return this.open(dot.text);
    if (dot.kind === "evidence") return;
    const told = await call(state.memory, "why", { belief: dot.id }, state.scope);
    for (const ground of told.grounds) this.ground(ground, dot);
    for (const premise of told.follows_from.flatMap((one: any) => one.premises ?? [])) {
      const other = this.dot({ id: premise.id ?? premise.belief ?? String(premise), kind: "belief", text: premise.text ?? `${premise.subject ?? ""} / ${premise.attribute ?? ""} = ${premise.value ?? ""}`, status: premise.status });
      this.tie(other, dot, "derived", 2);
    }
    this.started();
  }

  private dot(made: Dot): Dot {
    const known = this.dots.get(made.id);
    if (known) return known;
    this.dots.set(made.id, made);
    return made;
  }

  private tie(source: Dot, target: Dot, kind: Tie["kind"], weight: number): void {
    this.ties.set(`${source.id} ${target.id} ${kind}`, { source, target, kind, weight });
  }

  private started(): void {
    this.forces.nodes([...this.dots.values()]).force("ties", forceLink<Dot, Tie>([...this.ties.values()]).distance(95).strength(0.4));
    this.made();
    this.forces.alpha(0.9).restart();
  }

  private readonly shapes = new Map<Dot, SVGGElement>();
  private readonly strokes = new Map<Tie, SVGLineElement>();

  private made(): void {
    this.shapes.clear();
    this.strokes.clear();
    for (const tie of this.ties.values()) {
      const width = Math.min(7, 1 + Math.sqrt(tie.weight));
      this.strokes.set(tie, s("line", { class: `tie ${tie.kind}`, "stroke-width": width.toFixed(1), "marker-end": tie.kind === "about" ? null : "url(#arrow)" }));
    }
    for (const dot of this.dots.values()) this.shapes.set(dot, this.shaped(dot));
    replace(this.layer, ...this.strokes.values(), ...this.shapes.values());
    replace(this.list, ...[...this.dots.values()].map((dot) => h("li", {}, h("button", { type: "button", onclick: () => this.chosen(dot) }, `${dot.kind}: ${dot.text}`, dot.status ? ` (${dot.status})` : ""))));
  }

  private shaped(dot: Dot): SVGGElement {
    const outline = dot.kind === "entity" ? s("circle", { r: 15 }) : dot.kind === "belief" ? s("rect", { x: -13, y: -9, width: 26, height: 18, rx: 5 }) : s("path", { d: "M-9 -11h13l6 6v16h-19z" });
    return s(
      "g",
      {
        class: `dot ${dot.kind} ${dot.status ?? ""}`, tabindex: 0, role: "button", "aria-label": `${dot.kind} ${dot.text} ${dot.status ?? ""}`,
        onpointerdown: (event: PointerEvent) => { this.dragged = dot; (event.currentTarget as Element).setPointerCapture?.(event.pointerId); (event.currentTarget as Element).releasePointerCapture?.(event.pointerId); },
        onclick: () => this.chosen(dot),
        onkeydown: (event: KeyboardEvent) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.chosen(dot); } },
        ondblclick: () => { if (dot.subject) location.hash = address("graph", dot.subject); },
      },
      outline,
      s("text", { y: dot.kind === "entity" ? 30 : 24, "text-anchor": "middle" }, short(dot.text)),
      s("title", {}, dot.text),
    );
  }

  private chosen(dot: Dot): void {
    this.expanded(dot).catch(this.report);
  }

  private drawn(): void {
    for (const [tie, line] of this.strokes) {
      const [from, to] = [tie.source as Dot, tie.target as Dot];
      const [x1, y1, x2, y2] = [from.x ?? 0, from.y ?? 0, to.x ?? 0, to.y ?? 0];
      const long = Math.hypot(x2 - x1, y2 - y1) || 1;
      line.setAttribute("x1", x1.toFixed(1));
      line.setAttribute("y1", y1.toFixed(1));
      line.setAttribute("x2", (x2 - ((x2 - x1) / long) * 17).toFixed(1));
      line.setAttribute("y2", (y2 - ((y2 - y1) / long) * 17).toFixed(1));
    }
    for (const [dot, shape] of this.shapes) {
      dot.x = Math.max(20, Math.min(WIDTH - 20, dot.x ?? 0));
      dot.y = Math.max(16, Math.min(HEIGHT - 34, dot.y ?? 0));
      shape.setAttribute("transform", `translate(${dot.x.toFixed(1)} ${dot.y.toFixed(1)})`);
    }
  }

  private moved(picture: SVGSVGElement, event: PointerEvent): void {
    const matrix = picture.getScreenCTM();
    if (!this.dragged || !matrix) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    [this.dragged.fx, this.dragged.fy] = [at.x, at.y];
    this.forces.alphaTarget(0.2).restart();
  }

  private dropped(): void {
    this.dragged = null;
    this.forces.alphaTarget(0);
  }
}
