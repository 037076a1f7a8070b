// Pieces that several views show.

import type { Doc } from "./api";
import { type Child, h } from "./dom";
import { number, t, told, type Word } from "./words";

/** How a belief stands, in a word. */
export const standing = (status: string): HTMLElement => h("span", { class: `status ${status.replace(/\W/g, "")}` }, told(status));

/** A confidence as a bar and a number. */
export function sureness(confidence: number, raw?: number): HTMLElement {
  const apart = raw !== undefined && Math.abs(raw - confidence) > 0.004;
  return h("span", {}, h("meter", { min: 0, max: 1, value: confidence, "aria-label": t("confidence") }), ` ${number(confidence)}`, apart && h("span", { class: "soft small" }, ` (${t("raw")} ${number(raw)})`));
}

/** A table with one head. */
export function table(heads: [string, string?][], rows: Child[][], off: (row: number) => boolean = () => false): HTMLElement {
  const head = h("tr", {}, ...heads.map(([name, kind]) => h("th", { class: kind, scope: "col" }, name)));
  const body = rows.map((row, place) => h("tr", { class: off(place) && "off" }, ...row.map((one, column) => h("td", { class: heads[column]?.[1] }, one))));
  return h("div", { class: "table", tabindex: 0, role: "region" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...body)));
}

/** A heading with what stands under it, if there is anything. */
export function section(title: Word, ...children: Child[]): HTMLElement {
  return h("section", {}, h("h2", {}, t(title)), ...children);
}

/** Evidence, one item a row. */
export function grounds(all: Doc[]): HTMLElement {
  return table(
    [[t("stance"), "day"], [t("weight"), "n"], [t("source")], [t("date"), "day"], [t("words"), "long"]],
    all.map((one) => [`${one.stance === "supports" ? "+" : "−"} ${told(one.stance)}`, one.counted ? number(one.mass) : t("not_counted"), `${one.source} (${one.source_type})`, one.observed_at.slice(0, 10), `“${one.text ?? one.quote ?? ""}”`]),
    (row) => !all[row]!.counted,
  );
}

/** What went wrong, said aloud. */
export const failed = (failure: unknown): HTMLElement => h("p", { class: "error", role: "alert" }, (failure as Error).message);
