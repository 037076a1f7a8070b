// The views, each from a call or two to what is shown.

import { call } from "./api";
import { h } from "./dom";
import { Graph } from "./graph";
import { bar, belief, grounds, percent, table, tag, valueOf } from "./parts";
import { type Line, lines, reliability } from "./plot";
import { address, state } from "./state";
import { isWord, t } from "./words";

export type View = (parts: string[], again: () => void, report: (failure: unknown) => void) => Promise<Node[]>;

const told = (verb: string, given: object = {}) => call(state.memory, verb, given, state.scope);
// What does not read as of a time takes the branch alone.
const done = (verb: string, given: object = {}) => call(state.memory, verb, given, state.scope.branch ? { branch: state.scope.branch } : {});

function asking(label: string, view: string, initial: string): HTMLElement {
  const field = h("input", { type: "search", value: initial, "aria-label": label, placeholder: label, autofocus: true });
  const sent = (event: Event) => { event.preventDefault(); if (field.value.trim()) location.hash = address(view, field.value.trim()); };
  return h("form", { class: "asking", role: "search", onsubmit: sent }, field, h("button", {}, t("search")));
}

export const ask: View = async ([question = ""]) => {
  const form = asking(t("question"), "ask", question);
  if (!question) return [form];
  const found = await told("recall", { question, limit: 10, include: ["superseded"] });
  const decision = found.decision;
  return [
    form,
    h("p", { class: `verdict ${decision.verdict}`, role: "status" }, h("strong", {}, isWord(decision.verdict) ? t(decision.verdict) : decision.verdict), ` — ${decision.reason}`, decision.would_help && ` (${decision.would_help})`),
    ...found.timing.unread.map((words: string) => h("p", { class: "warning" }, `⚠ ${words}?`)),
    ...found.beliefs.map(belief),
    ...found.passages.map((one: any) => h("article", { class: "belief" }, h("p", {}, h("q", {}, one.text ?? one.evidence?.text ?? "")), h("p", { class: "quiet" }, one.source ?? ""))),
    found.beliefs.length + found.passages.length === 0 ? h("p", {}, t("nothing")) : null,
  ].filter((one): one is HTMLElement => one !== null);
};

export const graph: View = async ([subject = ""], _again, report) => {
  const form = asking(t("subject"), "graph", subject);
  if (!subject) return [form];
  const made = new Graph(report);
  await made.open(subject);
  return [form, made.element];
};

/** Confidence of each value of a slot at instants spread over its history, and at each change. */
async function course(subject: string, attribute: string, periods: any[]): Promise<{ those: Line[]; marks: number[] }> {
  const now = Date.now();
  const marks = periods.flatMap((one) => [one.from, one.to]).filter(Boolean).map((at: string) => Date.parse(at)).filter((at) => at < now);
  const from = Math.min(...marks, now - 86_400_000);
  const steps = Array.from({ length: 17 }, (_, number) => from + ((now - from) * number) / 16);
  const instants = [...new Set([...steps, ...marks.flatMap((at) => [at, at - 1000])])].filter((at) => at >= from).sort((a, b) => a - b).slice(0, 60);
  const found = new Map<string, Line>();
  const answers = await Promise.all(instants.map((at) => call(state.memory, "ask", { subject, attribute }, { ...state.scope, valid: new Date(at).toISOString() })));
  answers.forEach((answer, number) => {
    for (const one of [...answer.beliefs, ...answer.others]) {
      const name = valueOf(one);
      if (!found.has(name)) found.set(name, { name, points: [] });
      if (one.status !== "planned") found.get(name)?.points.push({ at: instants[number] ?? now, share: one.confidence });
    }
  });
  return { those: [...found.values()].filter((one) => one.points.length > 0), marks };
}

export const slot: View = async ([subject = "", attribute = ""], again) => {
  const [answer, history] = [await told("ask", { subject, attribute }), await told("history", { subject, attribute })];
  const { those, marks } = await course(subject, attribute, history.periods);
  const chosen = state.scope.valid ? Date.parse(state.scope.valid) : null;
  const first = answer.beliefs[0] ?? answer.others[0];
  const why = first ? await told("why", { belief: first.id }) : null;
  const [from, to] = [Math.min(...marks, Date.now() - 86_400_000), Date.now()];
  const slider = h("input", { type: "range", min: Math.floor(from / 86_400_000), max: Math.ceil(to / 86_400_000), value: Math.floor((chosen ?? to) / 86_400_000), "aria-label": t("valid"), list: "marks" });
  slider.addEventListener("change", () => {
    const day = Number(slider.value) * 86_400_000;
    state.scope = { ...state.scope, valid: day >= to ? undefined : new Date(day).toISOString().slice(0, 10) };
    again();
  });
  return [
    h("h2", {}, `${subject} / ${attribute}`),
    ...[...answer.beliefs, ...answer.others].map(belief),
    those.length ? h("section", {}, h("h3", {}, t("overTime")), lines(those, marks, chosen), h("label", { class: "slider" }, t("valid"), slider), h("datalist", { id: "marks" }, ...marks.map((at) => h("option", { value: Math.floor(at / 86_400_000) })))) : null,
    why && h("section", {}, h("h3", {}, t("why")), h("p", {}, why.because), grounds(why.grounds), ...why.rivals.map((one: any) => h("div", {}, h("p", {}, `${t("against")}: ${one.value} `, tag(one.status), " ", bar(one.confidence), h("span", { class: "quiet" }, ` ${one.because}`)), grounds(one.grounds))), h("h4", {}, t("would")), h("ul", {}, ...why.would_change_it.map((one: string) => h("li", {}, one)))),
    h("section", {}, h("h3", {}, t("mind")), table([t("operation"), t("value"), t("status"), t("confidence"), t("reason")], history.turns.map((one: any) => [`${one.operation} · ${one.at.slice(0, 16).replace("T", " ")}`, one.value, one.before ? `${one.before} → ${one.after}` : one.after, percent(one.confidence), one.because]))),
  ].filter((one): one is HTMLElement => Boolean(one));
};

export const conflicts: View = async (_parts, again, report) => {
  const open = await told("conflicts");
  if (open.length === 0) return [h("p", {}, t("noConflicts"))];
  return open.map((one: any) =>
    h(
      "article",
      { class: "conflict" },
      h("h3", {}, h("a", { href: address("slot", one.subject, one.attribute) }, `${one.subject} / ${one.attribute}`), " ", tag(one.kind)),
      one.suggestion && h("p", { class: "quiet" }, `${t("suggested")}: ${one.suggestion.value ?? "–"} — ${one.suggestion.reason}`, one.suggestion.would_settle && ` · ${t("settle")}: ${one.suggestion.would_settle}`),
      h(
        "div",
        { class: "sides" },
        ...one.sides.map((side: any) =>
          h("div", { class: "side" }, h("p", { class: "value" }, valueOf(side), " ", tag(side.status)), bar(side.confidence), grounds(side.grounds), h("button", { type: "button", onclick: () => { done("resolve", { conflict: one.id, choice: side.id, expected_version: one.version }).then(again, report); } }, t("decide"))),
        ),
      ),
    ),
  );
};

export const sources: View = async () => {
  const those = await told("sources");
  return [table([t("source"), t("type"), t("authority"), t("reliability"), t("items"), t("accepted"), t("contested"), t("overruled")], those.map((one: any) => [h("span", {}, one.name, one.quarantined && tag("quarantined")), one.type, one.authority, bar(one.learned ?? one.reliability), one.items, one.accepted, one.contested, one.overruled]))];
};

export const calibration: View = async () => {
  const report = await told("calibration");
  if (report.raw.labels === 0) return [h("p", {}, t("noLabels"))];
  const figures = ["labels", "brier", "log_loss", "ece", "ece_floor", "z"].map((name) => [name, report.raw[name] === null ? "–" : String(Number(report.raw[name]).toFixed(3))]);
  return [reliability(report.raw.bins), table(["", ""], figures), ...report.warnings.map((one: string) => h("p", { class: "warning" }, `⚠ ${one}`))];
};

export const log: View = async ([before = ""], again, report) => {
  const entries = await done("log", { limit: 30, ...(before ? { before: Number(before) } : {}) });
  const shown = entries.map((one: any) => {
    const detail = h("div", {});
    const differs = async () => {
      const found = await done("show", { operation: one.operation });
      detail.replaceChildren(table([t("about"), t("value"), t("status"), t("reason")], found.changes.map((change: any) => [`${change.subject} / ${change.attribute}`, change.value, `${change.before ?? "–"} → ${change.after}`, change.because])));
    };
    const undo = () => { if (confirm(`${t("sure")} ${t("operation")} ${one.operation}`)) done("undo", { operation: one.operation }).then(again, report); };
    return h(
      "article",
      { class: "entry" },
      h("p", {}, h("strong", {}, `${one.operation} · ${one.act}`), ` ${one.at.slice(0, 16).replace("T", " ")}`, one.author && ` · ${one.author}`, one.reason && ` · ${one.reason}`),
      h("ul", {}, ...one.changes.slice(0, 8).map((change: string) => h("li", {}, change))),
      h("p", { class: "links" }, h("button", { type: "button", onclick: () => { differs().catch(report); } }, t("diff")), " ", h("button", { type: "button", onclick: undo }, t("undo"))),
      detail,
    );
  });
  const last = entries[entries.length - 1];
  return [...shown, ...(entries.length === 30 ? [h("a", { href: address("log", String(last.operation)) }, t("more"))] : [])];
};

export const dream: View = async (_parts, again, report) => {
  const plan = await done("dream", { dry_run: true });
  const acts = (plan.proposals ?? plan.steps ?? []) as any[];
  const carried = () => { done("dream", {}).then(again, report); };
  return [h("h2", {}, t("plan")), h("pre", {}, JSON.stringify(plan, null, 2).slice(0, 20_000)), ...(acts.length ? [h("button", { type: "button", onclick: carried }, t("carryOut"))] : [])];
};
