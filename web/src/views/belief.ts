// One belief: how sure and why, the graph around it, its rivals, and how the mind changed.

import { type Doc, read } from "../api";
import { h } from "../dom";
import { graph } from "../graph";
import { failed, grounds, section, standing, sureness, table } from "../parts";
import { slot } from "../plot";
import { marked } from "../times";
import { day, number, t, told } from "../words";

/** The belief with an id; `open` is told which other one somebody wants to see. */
export async function belief(id: string, open: (belief: string) => void): Promise<HTMLElement> {
  const why = await read("why", { belief: id });
  const history = await read("history", { subject: why.subject, attribute: why.attribute, conditions: why.conditions });
  marked(history);
  const conditions = Object.entries(why.conditions).map(([name, value]) => `${name}: ${value}`).join(", ");
  return h(
    "article", { class: "belief", "aria-label": `${why.subject} / ${why.attribute}` },
    h("h1", {}, `${why.subject} / ${why.attribute}${conditions ? ` (${conditions})` : ""}`),
    h("p", {}, h("span", { class: "value" }, why.value), " ", standing(why.status), " ", sureness(why.confidence, why.raw_confidence),
      h("span", { class: "soft small" }, why.since ? ` ${t("since")} ${day(why.since)}` : "", why.until ? ` ${t("until")} ${day(why.until)}` : "")),
    h("p", { class: "soft", lang: "en" }, why.because),
    ...why.doubts.map((one: unknown) => h("p", { class: "warning" }, typeof one === "string" ? one : JSON.stringify(one))),
    section("graph", graph(why, open)),
    section("grounds", grounds(why.grounds), ...premises(why)),
    why.rivals.length > 0 && section("rivals", ...why.rivals.map((one: Doc) => rival(one, open))),
    h("div", { class: "two" },
      history.turns.length > 0 && section("slot", slot(history)),
      section("change", h("ul", { lang: "en" }, ...why.would_change_it.map((one: string) => h("li", {}, one))))),
    history.turns.length > 0 && section("history", turns(history)),
  );
}

function premises(why: Doc): HTMLElement[] {
  return why.follows_from.map((one: Doc) => h("p", {}, `⇒ ${t("follows")} `, one.premises.map((each: Doc) => `${each.subject} / ${each.attribute} = ${each.value}`).join(" + "), one.rule ? ` (${one.rule}, ${number(one.strength)})` : ` (${number(one.strength)})`));
}

function rival(one: Doc, open: (belief: string) => void): HTMLElement {
  return h("details", {}, h("summary", {}, h("strong", {}, one.value), " ", standing(one.status), " ", sureness(one.confidence, one.raw_confidence), " ", h("span", { class: "soft small", lang: "en" }, one.because)),
    grounds(one.grounds), h("p", {}, h("button", { type: "button", click: () => open(one.id) }, t("details"))));
}

function turns(history: Doc): HTMLElement {
  const rows = [...history.turns].reverse().map((one: Doc) => [h("a", { href: `#/log?op=${one.operation}` }, String(one.operation)), day(one.at), one.value.length > 32 ? h("span", { title: one.value }, `${one.value.slice(0, 31)}…`) : one.value, `${one.before ? `${told(one.before)} → ` : ""}${told(one.after)}`, number(one.confidence), one.because]);
  return table([[t("operation"), "n"], [t("date"), "day"], [t("value"), "day"], [t("status"), "day"], [t("confidence"), "n"], [t("because"), "long"]], rows);
}

/** The belief, or what went wrong in its place. */
export const shown = (id: string, open: (belief: string) => void): Promise<HTMLElement> => belief(id, open).catch(failed);
