// Pieces that several views show: a belief, its grounds, bars and tags.

import { h } from "./dom";
import { address } from "./state";
import { isWord, t } from "./words";

export const percent = (share: number): string => `${Math.round(share * 100)}%`;
export const valueOf = (one: any): string => (one.unit ? `${one.value} ${one.unit}` : String(one.value));

export function tag(status: string): HTMLElement {
  return h("span", { class: `tag ${status}` }, isWord(status) ? t(status) : status);
}

export function bar(share: number): HTMLElement {
  const meter = h("meter", { min: 0, max: 1, value: share.toFixed(3), low: 0.5, high: 0.7, optimum: 1 }, percent(share));
  return h("span", { class: "bar" }, meter, " ", percent(share));
}

export function belief(one: any): HTMLElement {
  const rules = [one.since && `${t("since")} ${one.since}`, one.until && `${t("until")} ${one.until}`].filter(Boolean).join(", ");
  const conditions = Object.entries(one.conditions ?? {}).map(([key, value]) => `${key}: ${value}`).join(", ");
  return h(
    "article",
    { class: "belief" },
    h("h3", {}, h("a", { href: address("slot", one.subject, one.attribute) }, `${one.subject} / ${one.attribute}`), conditions && ` (${conditions})`),
    h("p", { class: "value" }, one.stance === "refutes" ? `≠ ${valueOf(one)}` : valueOf(one), " ", tag(one.status)),
    h("p", { class: "quiet" }, `${t("confidence")} `, bar(one.confidence), rules && ` · ${rules}`),
    ...(one.warnings ?? []).map((warning: string) => h("p", { class: "warning", role: "note" }, `⚠ ${warning}`)),
    grounds(one.grounds ?? []),
    h("p", { class: "links" }, h("a", { href: address("slot", one.subject, one.attribute) }, t("why")), " · ", h("a", { href: address("graph", one.subject) }, t("graph"))),
  );
}

export function grounds(those: any[]): HTMLElement {
  return h(
    "ul",
    { class: "grounds" },
    ...those.map((one) =>
      h(
        "li",
        { class: one.stance === "refutes" ? "refutes" : "supports" },
        h("span", { class: "sign", "aria-label": t(one.stance === "refutes" ? "refutes" : "supports") }, one.stance === "refutes" ? "−" : "+"),
        ` ${one.source} (${one.source_type}, ${String(one.observed_at).slice(0, 10)})`,
        one.mass !== undefined && h("span", { class: "quiet" }, ` · ${t("weight")} ${Number(one.mass).toFixed(1)}`),
        (one.quote ?? one.text) && h("q", {}, one.quote ?? one.text),
      ),
    ),
  );
}

export function table(heads: string[], rows: (Node | string | number | null)[][]): HTMLElement {
  const body = rows.map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, cell))));
  const head = h("tr", {}, ...heads.map((one) => h("th", { scope: "col" }, one)));
  return h("div", { class: "wide" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...body)));
}
