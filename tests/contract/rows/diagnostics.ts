// Creates diagnostics over HTTP, as a student does.
import { signIn, type UserRow } from '../../harness/factories.ts';
import type { TestApp } from '../../harness/http.ts';

const base = '/api/diagnostic-sessions';

interface Started {
  readonly sessionId: string;
}

interface Next {
  readonly outcome: string;
  readonly served: { readonly servedItemId: string } | null;
}

/** Returns the open session or a new one, with at least one answer, so that it can be finished. */
export async function openSession(app: TestApp, token: string): Promise<string> {
  const { body } = await app.post<Started & { resumed: boolean }>(`${base}/start`, {}, { token });
  if (!body.resumed) await answerOne(app, token, body.sessionId);
  return body.sessionId;
}

/** Returns the served item, which stays the same until it is answered. */
export async function servedItem(app: TestApp, token: string): Promise<string> {
  const next = await nextItem(app, token, await openSession(app, token));
  if (!next.served) throw new Error(`no item is out: ${next.outcome}`);
  return next.served.servedItemId;
}

export async function finishedSession(app: TestApp, student: UserRow): Promise<string> {
  const token = await signIn(app, student);
  const sessionId = await openSession(app, token);
  await app.post(`${base}/${sessionId}/finish`, {}, { token });
  return sessionId;
}

async function nextItem(app: TestApp, token: string, sessionId: string): Promise<Next> {
  return (await app.post<Next>(`${base}/${sessionId}/next-item`, {}, { token })).body;
}

async function answerOne(app: TestApp, token: string, sessionId: string): Promise<void> {
  const { served } = await nextItem(app, token, sessionId);
  const response = { servedItemId: served?.servedItemId, selectedOptionIndex: 0, latencyMs: 0 };
  await app.post(`${base}/${sessionId}/responses`, response, { token });
}
