// Ask in plain words: what answers, how sure it is, and on what it rests.

import { type Doc, read } from "../api";
import { h } from "../dom";
import { section, standing, sureness } from "../parts";
import { t, type Word } from "../words";
import { shown } from "./belief";

const VERDICTS: Record<string, Word> = { act: "verdict_act", ask_human: "verdict_ask", need_evidence: "verdict_need", blocked: "verdict_blocked" };

/** The search box, what it found, and the belief that is looked at. */
export async function ask(asked: URLSearchParams, go: (route: string) => void): Promise<HTMLElement> {
  const question = asked.get("q") ?? "";
  const box = h("input", { type: "search", name: "q", value: question, placeholder: t("question"), "aria-label": t("question"), autocomplete: "off" });
  const form = h("form", { class: "ask", role: "search", submit: (event: SubmitEvent) => { event.preventDefault(); if (box.value.trim()) go(`#/ask?${new URLSearchParams({ q: box.value })}`); } },
    box, h("button", { type: "submit", class: "main" }, t("search")));
  const link = (id: string): string => `#/ask?${new URLSearchParams(question ? { q: question, b: id } : { b: id })}`;
  if (!question && !asked.get("b")) return h("div", {}, form, h("p", { class: "soft" }, t("start")));
  const found = question ? await read("recall", { question, limit: 12, include: [] }) : null;
  const id = asked.get("b") ?? found?.beliefs[0]?.id;
  const detail = id ? await shown(id, (other) => go(link(other))) : h("p", { class: "soft" }, t("nothing"));
  if (!found) return h("div", {}, form, detail);
  return h("div", {}, form, h("div", { class: "split" }, h("div", {}, ...answers(found, id, link)), detail));
}

function answers(found: Doc, id: string, link: (id: string) => string): (HTMLElement | false)[] {
  const item = (one: Doc): HTMLElement => h("li", {}, h("a", { href: link(one.id), "aria-current": one.id === id && "true" },
    h("span", { class: "soft small" }, `${one.subject} / ${one.attribute}`), h("br"),
    h("span", { class: "value" }, `${one.value}${one.unit ? ` ${one.unit}` : ""}`), " ", standing(one.status), " ", sureness(one.confidence),
    ...one.warnings.map((each: string) => h("div", { class: "warning small", lang: "en" }, each)),
    ...one.grounds.slice(0, 1).map((each: Doc) => h("div", { class: "soft small" }, `${each.source}: “${each.quote}”`))));
  const passage = (one: Doc): HTMLElement => h("li", {}, h("blockquote", {}, typeof one === "string" ? one : String(one.text ?? one.quote ?? "")));
  const { verdict, reason } = found.decision;
  return [
    section("results", found.decision && h("p", { class: "small" }, h("strong", {}, VERDICTS[verdict] ? t(VERDICTS[verdict]) : verdict), h("span", { class: "soft", lang: "en" }, ` — ${reason}`)),
      found.beliefs.length ? h("ol", { class: "list" }, ...found.beliefs.map(item)) : h("p", { class: "soft" }, t("nothing"))),
    found.passages.length > 0 && section("passages", h("ul", {}, ...found.passages.map(passage))),
  ];
}
