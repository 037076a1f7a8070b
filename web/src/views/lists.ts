// Views that are lists: conflicts to decide, sources, calibration, operations, and what dreaming would do.

import { call, type Doc, read } from "../api";
import { h } from "../dom";
import { failed, section, standing, sureness, table } from "../parts";
import { reliability } from "../plot";
import { day, number, t, told } from "../words";

type Again = (said?: string) => void;

/** The open conflicts, each with its sides and a decision. */
export async function conflicts(again: Again): Promise<HTMLElement> {
  const open: Doc[] = await read("conflicts");
  const cards = open.map((one) => conflict(one, again));
  return h("div", {}, h("h1", {}, `${t("conflicts")} (${open.length})`), h("p", {}), ...(cards.length ? cards : [h("p", { class: "soft" }, t("none_open"))]));
}

function conflict(one: Doc, again: Again): HTMLElement {
  const reason = h("input", { type: "text", placeholder: t("why_decide"), "aria-label": t("why_decide") });
  const problem = h("div");
  const decide = (choice: string) => async (): Promise<void> => {
    try {
      await call("resolve", { conflict: one.id, choice, expected_version: one.version, ...(reason.value ? { reason: reason.value } : {}) });
      again(t("decided"));
    } catch (failure) {
      problem.replaceChildren(failed(failure));
    }
  };
  const side = (each: Doc): HTMLElement => h("div", { class: "side" },
    h("p", {}, h("a", { class: "value", href: `#/ask?b=${encodeURIComponent(each.id)}` }, each.value), " ", standing(each.status)), h("p", {}, sureness(each.confidence)),
    h("p", { class: "soft small", lang: "en" }, each.because),
    ...each.grounds.filter((ground: Doc) => ground.counted).map((ground: Doc) => h("p", { class: "small" }, `${ground.stance === "supports" ? "+" : "−"} ${number(ground.mass)} ${ground.source}, ${day(ground.observed_at)}: “${ground.quote}”`)),
    h("button", { type: "button", class: each.id === one.suggestion.belief && "main", click: decide(each.id) }, t("decide")));
  return h("article", { class: "card conflict" }, h("h3", {}, `${one.subject} / ${one.attribute} `, standing(one.kind)),
    h("div", { class: "sides" }, ...one.sides.map(side)),
    h("p", { class: "small", lang: "en" }, `${t("suggested")}: ${one.suggestion.value ?? "–"}; ${one.suggestion.reason}`, one.suggestion.would_settle ? `. ${t("settle")}: ${one.suggestion.would_settle}` : ""),
    h("div", { class: "row" }, reason, h("button", { type: "button", click: decide("neither") }, t("neither"))), problem);
}

/** The sources, with how far each is trusted and what became of its words. */
export async function sources(): Promise<HTMLElement> {
  const all: Doc[] = await read("sources");
  const rows = all.map((one) => [h("span", {}, one.name, one.quarantined && h("span", { class: "warning small" }, ` ${t("quarantined")}`)), one.type, one.authority, sureness(one.reliability),
    typeof one.learned === "number" ? number(one.learned) : "–", one.items, one.accepted, one.contested, one.overruled]);
  return h("div", {}, h("h1", {}, `${t("sources")} (${all.length})`), h("p", {}),
    table([[t("source")], [t("type")], [t("authority"), "n"], [t("reliability")], [t("learned"), "n"], [t("items"), "n"], [t("accepted"), "n"], [t("contested"), "n"], [t("overruled"), "n"]], rows));
}

/** How well confidences did. */
export async function calibration(): Promise<HTMLElement> {
  const found: Doc = await read("calibration");
  const raw = found.raw;
  const figures = raw.labels ? [[t("labels"), raw.labels], [t("brier"), raw.brier], [t("ece"), raw.ece], [`${t("ece")}, ${t("floor")}`, raw.ece_floor]] : [];
  return h("div", {}, h("h1", {}, t("calibration")), ...found.warnings.map((one: string) => h("p", { class: "warning", lang: "en" }, one)),
    raw.bins.length
      ? h("div", { class: "two" }, reliability(raw.bins), h("div", {}, table([["", ""], ["", "n"]], figures.map(([name, value]) => [name, typeof value === "number" && !Number.isInteger(value) ? number(value) : value])),
          h("p", {}), table([[t("said"), "n"], [t("came"), "n"], ["95 %", "n"], [t("labels"), "n"]], raw.bins.map((one: Doc) => [number(one.said), number(one.came_true), one.interval.map(number).join(" – "), one.labels]))))
      : h("p", { class: "soft" }, t("calibration_none")));
}

/** The operations, the newest first, and one of them with all it did. */
export async function log(asked: URLSearchParams, again: Again): Promise<HTMLElement> {
  const chosen = Number(asked.get("op") ?? 0);
  const before = asked.get("before");
  const all: Doc[] = await call("log", { limit: 40, ...(before ? { before: Number(before) } : chosen ? { before: chosen + 20 } : {}) });
  const item = (one: Doc): HTMLElement => h("li", {}, h("a", { href: `#/log?op=${one.operation}`, "aria-current": one.operation === chosen && "true" },
    h("span", { class: "soft small" }, `${one.operation} · ${day(one.at)} · ${one.author ?? ""}`), h("br"), h("strong", {}, one.act), h("span", { class: "small" }, ` ${one.changes[0] ?? one.reason ?? ""}${one.changes.length > 1 ? ` +${one.changes.length - 1}` : ""}`)));
  const last = all.at(-1)?.operation ?? 1;
  return h("div", {}, h("h1", {}, t("log")), h("p", {}), h("div", { class: "split" },
    h("div", {}, h("ol", { class: "list" }, ...all.map(item)), last > 1 && h("p", {}, h("a", { href: `#/log?before=${last}` }, `${t("older")} →`))),
    chosen ? await operation(chosen, again).catch(failed) : h("p", { class: "soft" }, t("start"))));
}

async function operation(chosen: number, again: Again): Promise<HTMLElement> {
  const one: Doc = await call("show", { operation: chosen });
  const told_of = (status: string | null, sure: number | null): string => (status === null ? t("unheard") : `${told(status)}${sure === null ? "" : ` ${number(sure)}`}`);
  const rows = one.changes.map((each: Doc) => [h("a", { href: `#/ask?b=${encodeURIComponent(each.belief)}` }, `${each.subject} / ${each.attribute} = ${each.value}`), told_of(each.before, each.confidence_before), told_of(each.after, each.confidence), each.because]);
  const recorded = one.evidence.map((each: Doc) => h("blockquote", {}, `${each.source}, ${day(each.observed_at)}: “${each.text}”`));
  return h("article", { class: "operation" }, h("h1", {}, `${t("operation")} ${one.operation}: ${one.act}`),
    h("p", { class: "soft" }, [day(one.at), one.author, one.policy, one.reason].filter(Boolean).join(" · ")), ...one.warnings.map((each: string) => h("p", { class: "warning", lang: "en" }, each)),
    recorded.length > 0 && section("recorded", ...recorded),
    section("diff", rows.length ? table([[t("belief"), "long"], [t("before"), "day"], [t("after"), "day"], [t("because"), "long"]], rows) : h("p", { class: "soft" }, t("no_changes"))),
    undo(chosen, again));
}

function undo(chosen: number, again: Again): HTMLElement {
  const row = h("div", { class: "row" });
  const problem = h("div");
  const asked = (): void => row.replaceChildren(h("span", {}, `${t("undo_sure")} ${chosen}?`), sure, h("button", { type: "button", click: calm }, t("cancel")));
  const sure = h("button", { type: "button", class: "main", click: async () => {
    try {
      await call("undo", { operation: chosen });
      again(t("undone"));
    } catch (failure) {
      problem.replaceChildren(failed(failure));
    }
  } }, t("yes"));
  const calm = (): void => row.replaceChildren(h("button", { type: "button", click: () => { asked(); sure.focus(); } }, t("undo")));
  calm();
  return h("div", {}, row, problem);
}

/** What dreaming would do, and the word to do just that. */
export async function dream(again: Again): Promise<HTMLElement> {
  const plan: Doc = await call("dream", { dry_run: true });
  const problem = h("div");
  const apply = async (): Promise<void> => {
    try {
      await call("dream", { expected: plan.state });
      again(t("done"));
    } catch (failure) {
      problem.replaceChildren(failed(failure));
    }
  };
  const rows = plan.proposals.map((one: Doc) => [one.step, one.what, one.why, one.effect, one.fate]);
  return h("div", {}, h("h1", {}, t("dream")), h("p", {}), rows.length
    ? h("div", {}, table([[t("step")], [t("what"), "long"], [t("why"), "long"], [t("effect"), "long"], [t("fate")]], rows), h("div", { class: "row" }, h("button", { type: "button", class: "main", click: () => void apply() }, t("dream_apply"))), problem)
    : h("p", { class: "soft" }, t("dream_none")));
}
