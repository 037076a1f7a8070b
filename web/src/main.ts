// The explorer: one page that shows what a memory believes and why. It calls the verbs and decides nothing.

import { call, Failure, keep, memories, offers, state } from "./api";
import { h } from "./dom";
import { failed } from "./parts";
import { reaching, times } from "./times";
import { ask } from "./views/ask";
import { calibration, conflicts, dream, log, sources } from "./views/lists";
import { spoken, t, turn, type Word } from "./words";

const VIEWS: Word[] = ["ask", "conflicts", "sources", "calibration", "log", "dream"];
const app = document.getElementById("app")!;
const main = h("main", { id: "main", tabindex: -1 });
const nav = h("nav");
const said = h("div", { role: "status", class: "small soft" });
let names: string[] = [];
let dreams = false;
let latest = 0;

function route(): [Word, URLSearchParams] {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return [VIEWS.find((one) => one === path) ?? "ask", new URLSearchParams(query)];
}

function go(to: string): void {
  if (location.hash === to) void render();
  else location.hash = to;
}

function again(words = ""): void {
  void render().then(() => { said.textContent = words; });
}

async function render(): Promise<void> {
  const turnNumber = ++latest;
  const [view, asked] = route();
  links(view);
  said.textContent = "";
  main.setAttribute("aria-busy", "true");
  const made = await drawn(view, asked).catch((failure: unknown) => {
    if (failure instanceof Failure && failure.status === 401) return locked();
    return failed(failure);
  });
  // Whoever asked something else in the meantime sees that.
  if (turnNumber !== latest) return;
  main.replaceChildren(said, made);
  main.removeAttribute("aria-busy");
  main.querySelector("ol.list [aria-current]")?.scrollIntoView({ block: "nearest" });
  document.title = `${t(view)} · knowwhy`;
}

function drawn(view: Word, asked: URLSearchParams): Promise<HTMLElement> {
  switch (view) {
    case "conflicts": return conflicts(again);
    case "sources": return sources();
    case "calibration": return calibration();
    case "log": return log(asked, again);
    case "dream": return dream(again);
    default: return ask(asked, go);
  }
}

function links(view: Word): void {
  const offered = VIEWS.filter((one) => one !== "dream" || dreams);
  nav.setAttribute("aria-label", "knowwhy");
  nav.replaceChildren(...offered.map((one) => h("a", { href: `#/${one}`, "aria-current": one === view && "page" }, t(one))));
}

function locked(): HTMLElement {
  const key = h("input", { type: "password", name: "key", "aria-label": t("key"), autocomplete: "off", required: true });
  return h("form", { class: "card key", submit: (event: SubmitEvent) => { event.preventDefault(); keep(key.value.trim()); void start(); } },
    h("h1", {}, t("key")), h("p", { class: "soft" }, t("key_help")), h("div", { class: "row" }, key, h("button", { type: "submit", class: "main" }, t("open"))));
}

function themed(next: boolean): void {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const kept = localStorage.getItem("knowwhy.theme") ?? "";
  const wanted = next ? ((kept || (dark ? "dark" : "light")) === "dark" ? "light" : "dark") : kept;
  if (wanted) root.setAttribute("data-theme", wanted);
  if (next) localStorage.setItem("knowwhy.theme", wanted);
}

function shell(): void {
  document.documentElement.lang = spoken() === "zh" ? "zh-CN" : "en";
  const choice = h("select", { "aria-label": t("memory"), change: () => { state.memory = choice.value; void render(); } },
    ...names.map((one) => h("option", { value: one, selected: one === state.memory }, one)));
  app.replaceChildren(
    h("a", { class: "skip", href: "#main", click: (event: Event) => { event.preventDefault(); main.focus(); } }, t("skip")),
    h("header", {}, h("strong", {}, "knowwhy"), nav, names.length > 1 && choice,
      h("button", { type: "button", class: "language", click: () => { turn(); shell(); void render(); } }, t("language")),
      h("button", { type: "button", class: "theme", "aria-label": t("theme"), click: () => themed(true) }, "◐")),
    times(() => void render()), main);
}

async function start(): Promise<void> {
  try {
    names = await memories();
    if (!names.includes(state.memory)) state.memory = names[0] ?? state.memory;
    dreams = await offers("dream");
    shell();
    const oldest = await call("log", { limit: 1, before: 2 }).catch(() => []);
    if (oldest[0]) reaching(oldest[0].at);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    shell();
    main.replaceChildren(failure.status === 401 ? locked() : failed(failure));
    return;
  }
  await render();
}

themed(false);
addEventListener("hashchange", () => void render());
shell();
void start();
