// The time that is asked about: when it was true, and what was known then, with the changes marked.

import { type Doc, state } from "./api";
import { h, s } from "./dom";
import { t } from "./words";

const DAY = 86_400_000;
type Axis = "valid" | "known";
interface Slider { range: HTMLInputElement; told: HTMLOutputElement; marks: SVGElement }

const sliders = {} as Record<Axis, Slider>;
let first = Date.now() - 3650 * DAY;
let known: string[] = [];
let valid: string[] = [];

const now = (): number => Date.now();
const steps = (): number => Math.max(1, Math.ceil((now() - first) / DAY));
const date = (step: number): string => new Date(first + step * DAY).toISOString().slice(0, 10);

/** The two sliders; `changed` is called once somebody has chosen another time. */
export function times(changed: () => void): HTMLElement {
  const axis = (name: Axis): HTMLElement => {
    const marks = s("svg", { "aria-hidden": "true" });
    const told = h("output", {}, state[name] || t("now"));
    const range = h("input", { type: "range", min: 0, step: 1, name, "aria-label": t(name),
      input: () => { told.textContent = chosen(name) || t("now"); range.setAttribute("aria-valuetext", told.textContent); },
      change: () => { state[name] = chosen(name); changed(); } });
    sliders[name] = { range, told, marks };
    return h("label", {}, t(name), h("span", { class: "track" }, marks, range), told);
  };
  const reset = h("button", { type: "button", class: "small", click: () => { state.valid = state.known = ""; laid(); changed(); } }, t("reset"));
  const bar = h("div", { class: "times", role: "group" }, axis("valid"), axis("known"), reset);
  laid();
  return bar;
}

function chosen(name: Axis): string {
  const at = Number(sliders[name].range.value);
  return at >= steps() ? "" : date(at);
}

function laid(): void {
  for (const [name, days] of [["valid", valid], ["known", known]] as [Axis, string[]][]) {
    const { range, told, marks } = sliders[name];
    range.max = String(steps());
    range.value = String(state[name] ? Math.round((Date.parse(state[name]) - first) / DAY) : steps());
    told.textContent = state[name] || t("now");
    range.setAttribute("aria-valuetext", `${told.textContent}; ${days.length} ${t("changes")}: ${days.join(", ")}`);
    marks.replaceChildren(...days.map((one) => {
      const x = `${Math.min(100, (100 * (Date.parse(one) - first)) / (now() - first))}%`;
      return s("line", { x1: x, x2: x, y1: 15, y2: 21 }, s("title", {}, one));
    }));
  }
}

/** Reaches back to the first operation of the memory. */
export function reaching(back: string): void {
  first = Math.min(Date.parse(back), now() - DAY) - 30 * DAY;
  laid();
}

/** Marks the changes of a slot on both sliders. */
export function marked(history: Doc): void {
  const days = (all: (string | null)[]): string[] => [...new Set(all.filter((one): one is string => one !== null).map((one) => one.slice(0, 10)))];
  // Looking at the past must not take the marks of what came later away.
  known = days([...(state.known ? known : []), ...history.turns.map((one: Doc) => one.at)]);
  valid = days([...(state.known ? valid : []), ...history.periods.flatMap((one: Doc) => [one.from, one.to])]);
  const least = Math.min(...[...known, ...valid].map((one) => Date.parse(one)));
  if (least < first) first = least - 30 * DAY;
  laid();
}
