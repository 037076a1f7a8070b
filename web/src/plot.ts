// Lines of confidence over time, and the diagram of calibration.

import { h, s } from "./dom";
import { t } from "./words";

export interface Line { name: string; points: { at: number; share: number }[] }

const W = 640, H = 220, LEFT = 36, BOTTOM = 24, TOP = 8, RIGHT = 8;
// Dashes tell lines apart for those who do not see colours.
const DASHES = ["", "6 3", "2 3", "8 3 2 3", "1 4", "10 4"];

export function lines(those: Line[], marks: number[], chosen: number | null): Element {
  const every = those.flatMap((one) => one.points.map((point) => point.at));
  const [from, to] = [Math.min(...every), Math.max(...every)];
  const x = (at: number) => LEFT + ((at - from) / (to - from || 1)) * (W - LEFT - RIGHT);
  const y = (share: number) => TOP + (1 - share) * (H - TOP - BOTTOM);
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const picture = s(
    "svg",
    { viewBox: `0 0 ${W} ${H}`, class: "plot", role: "img", "aria-label": t("overTime") },
    ...[0, 0.5, 1].map((share) => s("g", { class: "axis" }, s("line", { x1: LEFT, x2: W - RIGHT, y1: y(share), y2: y(share) }), s("text", { x: LEFT - 6, y: y(share) + 4, "text-anchor": "end" }, share))),
    ...marks.filter((at) => at > from && at < to).map((at) => s("line", { class: "mark", x1: x(at), x2: x(at), y1: TOP, y2: H - BOTTOM })),
    chosen !== null && chosen >= from && chosen <= to && s("line", { class: "chosen", x1: x(chosen), x2: x(chosen), y1: TOP, y2: H - BOTTOM }),
    s("text", { x: LEFT, y: H - 6 }, day(from)),
    s("text", { x: W - RIGHT, y: H - 6, "text-anchor": "end" }, day(to)),
    ...those.map((one, number) =>
      s("polyline", { class: `line n${number % 6}`, "stroke-dasharray": DASHES[number % 6], points: one.points.map((point) => `${x(point.at)},${y(point.share)}`).join(" ") }, s("title", {}, one.name)),
    ),
  );
  const legend = those.map((one, number) => {
    const stroke = s("line", { class: `line n${number % 6}`, "stroke-dasharray": DASHES[number % 6], x1: 0, x2: 28, y1: 6, y2: 6 });
    return h("li", {}, s("svg", { viewBox: "0 0 28 12", class: "sample", "aria-hidden": "true" }, stroke), ` ${one.name}`);
  });
  return h("figure", {}, picture, h("figcaption", {}, h("ul", { class: "legend" }, ...legend)));
}

export function reliability(bins: any[]): Element {
  const side = 260, edge = 30;
  const x = (share: number) => edge + share * (side - edge - 8);
  const y = (share: number) => side - edge - share * (side - edge - 8);
  const most = Math.max(1, ...bins.map((one) => one.count ?? one.labels ?? 1));
  return s(
    "svg",
    { viewBox: `0 0 ${side} ${side}`, class: "plot square", role: "img", "aria-label": t("calibration") },
    s("line", { class: "ideal", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }),
    ...[0, 0.5, 1].flatMap((share) => [s("text", { x: x(share), y: side - 10, "text-anchor": "middle" }, share), s("text", { x: edge - 6, y: y(share) + 4, "text-anchor": "end" }, share)]),
    ...bins.map((one) => s("circle", { class: "bin", cx: x(one.confidence ?? one.mean ?? 0), cy: y(one.share_right ?? one.right ?? 0), r: 3 + 7 * Math.sqrt((one.count ?? one.labels ?? 1) / most) }, s("title", {}, JSON.stringify(one)))),
  );
}
