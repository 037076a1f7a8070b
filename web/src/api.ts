// Calls to the service that this page came from.

import type { Scope } from "./state";

export interface Problem { error: string; message: string; details: Record<string, unknown>; status: number }
export class Failed extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

const KEY = "knowwhy-key";
export const keyIs = (key: string): void => sessionStorage.setItem(KEY, key);

function headers(): Record<string, string> {
  const key = sessionStorage.getItem(KEY);
  return { "Content-Type": "application/json", ...(key ? { Authorization: `Bearer ${key}` } : {}) };
}

async function answered(response: Response): Promise<any> {
  const told = await response.json().catch(() => null);
  if (response.ok) return told;
  throw new Failed(
    told ?? { error: "unavailable", message: `${response.status} ${response.statusText}`, details: {}, status: response.status },
  );
}

async function sent(path: string, options: RequestInit): Promise<any> {
  try {
    return await answered(await fetch(path, { ...options, headers: headers() }));
  } catch (failure) {
    if (failure instanceof Failed) throw failure;
    throw new Failed({ error: "unavailable", message: String(failure), details: {}, status: 0 });
  }
}

export const memories = async (): Promise<string[]> => (await sent("/v1/memories", { method: "GET" })).result;

/** What a verb gives; `scope` says as of when, for verbs that read. */
export async function call(memory: string, verb: string, given: object = {}, scope: Scope = {}): Promise<any> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(scope)) if (value) query.set(name, value);
  const path = `/v1/memories/${encodeURIComponent(memory)}/${verb}${query.size ? `?${query}` : ""}`;
  return (await sent(path, { method: "POST", body: JSON.stringify(given) })).result;
}
