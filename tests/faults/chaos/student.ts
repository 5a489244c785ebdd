// A student's device under failing conditions. It repeats every request until it gets a response, as a client on a
// school's network does, and records what was acknowledged.

export interface Acknowledged {
  /** Sessions whose finish was acknowledged. */
  readonly finished: Set<string>;
  /** Acknowledged answers: served item → session. */
  readonly answered: Map<string, string>;
}

export interface Device {
  readonly address: string;
  readonly email: string;
  readonly password: string;
  readonly acknowledged: Acknowledged;
  /** True when the load is over: the current request is the last one. */
  readonly over: () => boolean;
}

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

interface Next {
  readonly outcome: string;
  readonly served: { readonly servedItemId: string; readonly options: readonly unknown[] } | null;
}

const timeoutMs = 120_000;
const pauseMs = 100;

/** Takes all parts of the season in order, until there are no more or the load is over. */
export async function takeDiagnostics(device: Device): Promise<void> {
  const call = await signedIn(device);
  while (!device.over()) {
    const { status, body } = await call('/api/diagnostic-sessions/start', {});
    if (status === 409) return;
    await takePart(device, call, String(body.sessionId));
  }
}

type Call = (path: string, body: object) => Promise<Reply>;

async function takePart({ acknowledged, over }: Device, call: Call, sessionId: string): Promise<void> {
  const base = `/api/diagnostic-sessions/${sessionId}`;
  let answered = 0;
  while (!over()) {
    const next = (await call(`${base}/next-item`, {})).body as unknown as Next;
    if (next.outcome === 'no_eligible_item') continue;
    if (!next.served) break;
    const { servedItemId, options } = next.served;
    const selectedOptionIndex = answered % options.length;
    const { status } = await call(`${base}/responses`, { servedItemId, selectedOptionIndex, latencyMs: 4_000 });
    if (status !== 200) throw new Error(`an answer was refused with ${status}`);
    acknowledged.answered.set(servedItemId, sessionId);
    answered += 1;
  }
  if (answered === 0) return;
  const { status } = await call(`${base}/finish`, {});
  if (status !== 200) throw new Error(`a finish was refused with ${status}`);
  acknowledged.finished.add(sessionId);
}

async function signedIn({ address, email, password }: Device): Promise<Call> {
  const { body } = await insist(address, '/api/auth/login', { email, password });
  const headers = { authorization: `Bearer ${body.accessToken}` };
  return (path, content) => insist(address, path, content, headers);
}

/** Retries while there is no response, or while the response is 503 or a failure caused by the lost database. */
async function insist(address: string, path: string, content: object, headers: Record<string, string> = {}) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const reply = await once(address, path, content, headers);
    if (reply && reply.status < 500) return reply;
    if (reply && reply.status !== 503) throw new Error(`${path} answered ${reply.status}`);
    if (Date.now() > deadline) throw new Error(`${path} was not answered within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function once(address: string, path: string, content: object, headers: Record<string, string>) {
  try {
    const response = await fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(content),
      signal: AbortSignal.timeout(15_000),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch {
    return undefined;
  }
}
