// The page: its head with what is looked at and as of when, and the view that the address names.

import { Failed, keyIs, memories } from "./api";
import { h, replace } from "./dom";
import { address, place, state } from "./state";
import * as views from "./views";
import { speak, t, type Word } from "./words";

const VIEWS: Record<string, views.View> = { ...views };
const TABS = ["ask", "graph", "conflicts", "sources", "calibration", "log", "dream"] as const satisfies readonly Word[];

const root = document.getElementById("app") as HTMLElement;
const content = h("main", { id: "content", tabindex: -1 });
let turn = 0;

function head(): HTMLElement {
  const current = place().view;
  const tabs = TABS.map((name) => h("a", { href: address(name), "aria-current": current === name ? "page" : null }, t(name)));
  const dated = (name: "valid" | "known") => {
    const field = h("input", { type: "date", value: state.scope[name]?.slice(0, 10) ?? "", "aria-label": t(name) });
    field.addEventListener("change", () => { state.scope = { ...state.scope, [name]: field.value || undefined }; void show(); });
    return h("label", {}, `${t(name)} `, field);
  };
  const memory = h("select", { "aria-label": t("memory") }, ...state.memories.map((name) => h("option", { value: name, selected: name === state.memory }, name)));
  memory.addEventListener("change", () => { state.memory = memory.value; void show(); });
  const branch = h("input", { type: "text", value: state.scope.branch ?? "", size: 10, placeholder: t("branch"), "aria-label": t("branch") });
  branch.addEventListener("change", () => { state.scope = { ...state.scope, branch: branch.value || undefined }; void show(); });
  const other = state.language === "en" ? "zh" : "en";
  const language = h("button", { type: "button", lang: other, onclick: () => { state.language = other; localStorage.setItem("knowwhy-language", other); void show(); } }, other === "zh" ? "中文" : "English");
  return h(
    "header",
    {},
    h("a", { class: "skip", href: "#content", onclick: (event: Event) => { event.preventDefault(); content.focus(); } }, t("skip")),
    h("div", { class: "top" }, h("a", { class: "name", href: address("ask") }, "knowwhy"), h("nav", { "aria-label": "views" }, ...tabs), language),
    h("div", { class: "scope" }, h("label", {}, `${t("memory")} `, memory), dated("valid"), dated("known"), branch),
  );
}

function keyAsked(): HTMLElement {
  const field = h("input", { type: "password", autocomplete: "off", "aria-label": t("key") });
  const entered = (event: Event) => { event.preventDefault(); keyIs(field.value.trim()); void begin(); };
  return h("form", { class: "asking", onsubmit: entered }, h("label", {}, t("key"), " ", field), h("button", {}, t("enter")));
}

function report(failure: unknown): void {
  const problem = failure instanceof Failed ? failure.problem : { error: "fault", message: String(failure) };
  if (problem.error === "no_key") return replace(content, keyAsked());
  content.prepend(h("p", { class: "failure", role: "alert" }, `${problem.error}: ${problem.message}`));
}

async function show(): Promise<void> {
  speak(state.language);
  const mine = ++turn;
  const { view, parts } = place();
  replace(root, head(), content);
  document.title = `knowwhy – ${[view, ...parts].join(" / ")}`;
  content.setAttribute("aria-busy", "true");
  try {
    const found = await (VIEWS[view] ?? views.ask)(parts, () => void show(), report);
    if (mine === turn) replace(content, ...found);
  } catch (failure) {
    if (mine !== turn) return;
    replace(content);
    report(failure);
  }
  content.removeAttribute("aria-busy");
  content.querySelector<HTMLElement>("[autofocus]")?.focus();
}

async function begin(): Promise<void> {
  try {
    state.memories = await memories();
    state.memory = state.memories.includes(state.memory) ? state.memory : (state.memories[0] ?? "");
    await show();
  } catch (failure) {
    speak(state.language);
    replace(root, head(), content);
    replace(content);
    report(failure);
  }
}

addEventListener("hashchange", () => void show());
void begin();
