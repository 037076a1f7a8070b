// Pictures of numbers: the confidence of rival values over time, and the reliability diagram.

import type { Doc } from "./api";
import { h, s } from "./dom";
import { day, number, t } from "./words";

const W = 720;
const LEFT = 38;
const RIGHT = 14;

interface Point { at: number; sure: number; words: string }

/** Confidence of each value as it became known, and below it which value was true when. */
export function slot(history: Doc): HTMLElement {
  const values: string[] = [...new Set<string>([...history.turns.map((one: Doc) => one.value), ...history.periods.flatMap((one: Doc) => one.values)])];
  const periods: Doc[] = history.periods;
  const stamps = [...history.turns.map((one: Doc) => Date.parse(one.at)), ...periods.flatMap((one) => [one.from, one.to]).filter(Boolean).map(Date.parse)].filter((one) => !Number.isNaN(one));
  const [first, last] = [Math.min(...stamps), Math.max(...stamps)];
  const end = last + Math.max((last - first) * 0.08, 86_400_000);
  const x = (at: number): number => LEFT + ((at - first) / (end - first)) * (W - LEFT - RIGHT);
  const y = (sure: number): number => 12 + (1 - sure) * 150;
  const shape = (value: string): string => `c${values.indexOf(value) % 5}`;
  const high = 200 + 12 * values.length;
  const parts: SVGElement[] = [0, 0.25, 0.5, 0.75, 1].flatMap((one) => [
    s("path", { class: "axis", d: `M${LEFT} ${y(one)}H${W - RIGHT}` }), s("text", { class: "soft", x: LEFT - 6, y: y(one) + 4, "text-anchor": "end" }, number(one)),
  ]);
  for (const at of [first, first + (last - first) / 2, last])
    parts.push(s("text", { class: "soft", x: x(at), y: 180, "text-anchor": at === first ? "start" : "middle" }, new Date(at).toISOString().slice(0, 10)));
  for (const value of values) {
    const points: Point[] = history.turns.filter((one: Doc) => one.value === value).map((one: Doc) => ({ at: Date.parse(one.at), sure: one.confidence, words: `${day(one.at)}: ${value} ${number(one.confidence)}` }));
    if (points.length) {
      const path = points.map((one, place) => (place ? `H${x(one.at)}V${y(one.sure)}` : `M${x(one.at)} ${y(one.sure)}`)).join("");
      parts.push(s("path", { class: `curve ${shape(value)}`, d: `${path}H${W - RIGHT}` }));
    }
    for (const one of points) parts.push(s("circle", { class: `mark ${shape(value)}`, cx: x(one.at), cy: y(one.sure), r: 3.5 }, s("title", {}, one.words)));
    const row = 196 + 12 * values.indexOf(value);
    for (const one of periods.filter((each) => each.values.includes(value)))
      parts.push(s("path", { class: `bar ${shape(value)}`, d: `M${one.from ? x(Date.parse(one.from)) : LEFT} ${row}H${one.to ? x(Date.parse(one.to)) : W - RIGHT}` }, s("title", {}, `${value}: ${day(one.from ?? "…")} – ${day(one.to)}`)));
  }
  const label = `${t("slot")}: ${periods.map((one) => `${day(one.from ?? "…")} – ${day(one.to)}: ${one.values.join(", ")}`).join("; ")}`;
  const svg = s("svg", { class: "picture", viewBox: `0 0 ${W} ${high}`, role: "img", "aria-label": label }, ...parts);
  return h("figure", { class: "slot" }, svg, h("figcaption", {}, ...values.map((one) =>
    h("span", {}, s("svg", { class: "key", viewBox: "0 0 26 8", "aria-hidden": "true" }, s("path", { class: `curve ${shape(one)}`, d: "M0 4H26" })), one))));
}

/** What was said against what came true, with the interval of each bin. */
export function reliability(bins: Doc[]): HTMLElement {
  const at = (one: number): number => 40 + one * 320;
  const up = (one: number): number => 340 - one * 320;
  const parts: SVGElement[] = [s("path", { class: "axis", d: `M40 20V340H360` }), s("path", { class: "edge rival", d: `M40 340L360 20`, "stroke-width": 2 }, s("title", {}, t("perfect")))];
  for (const one of [0, 0.5, 1])
    parts.push(s("text", { class: "soft", x: at(one), y: 356, "text-anchor": "middle" }, number(one)), s("text", { class: "soft", x: 34, y: up(one) + 4, "text-anchor": "end" }, number(one)));
  parts.push(s("text", { class: "soft", x: 200, y: 372, "text-anchor": "middle" }, t("said")), s("text", { class: "soft", x: 46, y: 14 }, t("came")));
  for (const one of bins) {
    const words = `${t("said")} ${number(one.said)}, ${t("came")} ${number(one.came_true)}, ${one.labels} ${t("labels")}`;
    parts.push(s("path", { class: "edge", d: `M${at(one.said)} ${up(one.interval[0])}V${up(one.interval[1])}`, "stroke-width": 1.5 }));
    parts.push(s("circle", { class: "mark c0", cx: at(one.said), cy: up(one.came_true), r: 3 + Math.min(7, Math.sqrt(one.labels) / 2) }, s("title", {}, words)));
  }
  return h("figure", { class: "reliability" }, s("svg", { class: "picture", viewBox: "0 0 400 380", role: "img", "aria-label": t("calibration") }, ...parts));
}
