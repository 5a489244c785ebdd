// A student who takes diagnostics item by item and practises afterwards: each call sends the next request.
import type { Answered, Ask } from './ask.ts';
import type { Person } from './school.ts';

const answersOfDiagnostic = 12;
const answersOfPractice = 6;
const thinkMs = 3_000;
const practice = '/api/practice/queues';

interface SessionBody {
  readonly sessionId?: string;
  readonly served?: { readonly servedItemId: string } | null;
}

const isSuccess = ({ status }: Answered): boolean => status >= 200 && status < 300;

/** Calls wait for the response to the last one, as on a device. */
export function diagnosticOf(ask: Ask, person: Person): () => Promise<Answered> {
  const requests = requestsOf(ask, person);
  return async () => {
    const { value } = await requests.next();
    return value;
  };
}

/** Takes part after part of the season; afterwards the student reads their own account. */
async function* requestsOf(ask: Ask, person: Person): AsyncGenerator<Answered, never> {
  const send = (path: string, body?: object) => ask({ path, token: person.token, ...(body && { body }) });
  for (;;) {
    const started = await send('/api/diagnostic-sessions/start', {});
    yield started;
    if (started.status === 409) break;
    if (!isSuccess(started)) continue;
    const { sessionId } = JSON.parse(started.text) as SessionBody;
    const path = `/api/diagnostic-sessions/${sessionId}`;
    yield* answersIn(send, path, 'responses', answersOfDiagnostic);
    const finished = await send(`${path}/finish`, {});
    yield finished;
    if (!isSuccess(finished)) continue;
    const seeded = await send(`${practice}/seed/${sessionId}`, {});
    yield seeded;
    if (isSuccess(seeded)) yield* answersIn(send, `${practice}/current`, 'submit-response', answersOfPractice);
  }
  for (;;) yield await send('/api/auth/me');
}

async function* answersIn(
  send: (path: string, body: object) => Promise<Answered>,
  path: string,
  responses: string,
  most: number,
): AsyncGenerator<Answered, void> {
  for (let at = 0; at < most; at++) {
    const next = await send(`${path}/next-item`, {});
    yield next;
    const served = isSuccess(next) ? (JSON.parse(next.text) as SessionBody).served : undefined;
    if (!served) return;
    const body = { servedItemId: served.servedItemId, selectedOptionIndex: at % 2, latencyMs: thinkMs };
    yield await send(`${path}/${responses}`, body);
  }
}
