// What is looked at: which memory, as of when, in which language, and where on the page.

import type { Language } from "./words";

export interface Scope { valid?: string; known?: string; branch?: string }

export interface State { memory: string; memories: string[]; scope: Scope; language: Language }

export const state: State = {
  memory: "",
  memories: [],
  scope: {},
  language: (localStorage.getItem("knowwhy-language") as Language | null) ?? (navigator.language.startsWith("zh") ? "zh" : "en"),
};

/** The view that the address names, and what it is about. */
export function place(): { view: string; parts: string[] } {
  const [view = "", ...parts] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  return { view: view || "ask", parts };
}

export const address = (view: string, ...parts: string[]): string =>
  `#/${[view, ...parts].map(encodeURIComponent).join("/")}`;
