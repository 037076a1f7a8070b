// Calls the verbs of the service this page came from.

/* eslint-disable-next-line -- documents of verbs are described by the service's own OpenAPI page */
export type Doc = any;

const KEY = "knowwhy.key";
export const state = { memory: "main", valid: "", known: "" };

/** A call that failed, with the service's stable code. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** Keeps the key for this tab alone. */
export function keep(key: string): void {
  sessionStorage.setItem(KEY, key);
}

async function sent(path: string, init: RequestInit): Promise<Doc> {
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  const key = sessionStorage.getItem(KEY);
  if (key) headers["Authorization"] = `Bearer ${key}`;
  let reply: Response;
  try {
    reply = await fetch(path, { ...init, headers, credentials: "omit", cache: "no-store" });
  } catch {
    throw new Failure("unreachable", "The service does not answer. Is `knowwhy serve` still running?", 0);
  }
  const told = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Failure(told.error ?? "failed", told.message ?? reply.statusText, reply.status);
  return told;
}

/** The names of the memories that may be opened. */
export async function memories(): Promise<string[]> {
  return (await sent("v1/memories", { method: "GET" })).result;
}

/** Whether the service offers a verb. */
export async function offers(verb: string): Promise<boolean> {
  const described = await sent("openapi.json", { method: "GET" }).catch(() => ({ paths: {} }));
  return `/v1/memories/{memory}/${verb}` in described.paths;
}

/** What a verb gives. */
export async function call(verb: string, given: Doc = {}): Promise<Doc> {
  return (await post(verb, given, "")).result;
}

/** What a reading verb gives as of the times chosen. */
export async function read(verb: string, given: Doc = {}): Promise<Doc> {
  const asked = new URLSearchParams();
  if (state.valid) asked.set("valid", state.valid);
  if (state.known) asked.set("known", state.known);
  let all: Doc[] | null = null;
  for (let cursor: string | null = ""; cursor !== null; ) {
    if (cursor) asked.set("cursor", cursor);
    const reply: Doc = await post(verb, given, asked.size ? `?${asked}` : "");
    cursor = reply.next ?? null;
    if (all === null && cursor === null) return reply.result;
    all = [...(all ?? []), ...reply.result];
  }
  return all;
}

function post(verb: string, given: Doc, query: string): Promise<Doc> {
  const path = `v1/memories/${encodeURIComponent(state.memory)}/${verb}${query}`;
  return sent(path, { method: "POST", body: JSON.stringify(given) });
}
