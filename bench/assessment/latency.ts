// The time from the response to a child's "finish" until the teacher can read the new status, over HTTP, with a worker in a
// process of its own.
import { inContext } from '../../src/core/platform/db.ts';
import { type Client, clientOf, signIn } from '../harness/client.ts';
import { percentile } from '../harness/measure.ts';
import { duration, type Section } from '../harness/report.ts';
import { buildSchool } from '../harness/school.ts';
import { type Service, withService } from '../harness/service.ts';

const students = 40;
/** Not measured: the processes load their rules, and their code is compiled. */
const warmUps = 8;
const answersOfSession = 5;
const timeoutMs = 20_000;
const thinkMs = 3_000;

export const benchLatency = (): Promise<Section> => withService(measure);

async function measure(service: Service): Promise<Section> {
  const { organizationId, teacher, studentIds } = await buildSchool(service, students + warmUps, false);
  const teacherToken = await signIn(service, teacher);
  const client = clientOf(service.url, 2);
  const waits: number[] = [];
  for (const id of studentIds) {
    const token = await signIn(service, { id, organizationId });
    const path = await answerSome(client, token);
    const askedAt = new Date().toISOString();
    await client.ask('POST', `${path}/finish`, token, {});
    waits.push(await untilReadable(client, teacherToken, id, askedAt));
  }
  client.close();
  await assertStored(service, studentIds.length);
  return report(waits.slice(warmUps));
}

export async function answerSome(client: Client, token: string): Promise<string> {
  const post = async (path: string, body: object) => JSON.parse(await client.ask('POST', path, token, body));
  const { sessionId } = await post('/api/diagnostic-sessions/start', {});
  const path = `/api/diagnostic-sessions/${sessionId}`;
  for (let at = 0; at < answersOfSession; at++) {
    const { served } = await post(`${path}/next-item`, {});
    const { servedItemId } = served;
    await post(`${path}/responses`, { servedItemId, selectedOptionIndex: 0, latencyMs: thinkMs });
  }
  return path;
}

/** `pending` is also false until the event has been relayed, so the results must be newer than the request too. */
export async function untilReadable(
  client: Client,
  token: string,
  studentId: number,
  askedAt: string,
): Promise<number> {
  const from = performance.now();
  for (;;) {
    const text = await client.ask('GET', `/api/sse/students/${studentId}/domain-status`, token);
    const { pending, asOf } = JSON.parse(text) as { pending: boolean; asOf: string | null };
    const waitedMs = performance.now() - from;
    if (!pending && asOf !== null && asOf >= askedAt) return waitedMs;
    if (waitedMs > timeoutMs) throw new Error(`student ${studentId} has no results after ${timeoutMs} ms`);
  }
}

async function assertStored({ owner }: Service, expected: number): Promise<void> {
  const runs = await inContext(owner, 'SUPER', (trx) => trx('sse_run').countDistinct('student_id as count').first());
  if (runs?.count !== expected) throw new Error(`${runs?.count} students have a run instead of ${expected}`);
}

function report(waits: readonly number[]): Section {
  const line = (name: string, share: number) => ({
    contender: name,
    result: duration(percentile(waits, share) * 1e6),
  });
  return {
    title: 'From finish to readable',
    note: `${students} students one after the other (after ${warmUps} to warm up), ${answersOfSession} answers each. From the answer to POST …/finish to the first GET …/domain-status with results of after it, asked without a pause, so one read is included. Outbox, relay, queue, recompute and read are the real ones; PostgreSQL is embedded and keeps its commits.`,
    rows: [line('half of the students', 0.5), line('19 of 20', 0.95), line('all', 1)],
  };
}
