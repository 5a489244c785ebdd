// The time from a child's "finish" to readable results while a change of rules recomputes all other students, with several
// workers.
import { setTimeout as sleep } from 'node:timers/promises';
import { inContext } from '../../src/core/platform/db.ts';
import { activateInPieces, pieces } from '../../tests/faults/pieces.ts';
import { clientOf, signIn } from '../harness/client.ts';
import { percentile } from '../harness/measure.ts';
import { duration, type Row, type Section } from '../harness/report.ts';
import { announce, buildSchool, type School } from '../harness/school.ts';
import { type Service, withService } from '../harness/service.ts';
import { answerSome, untilReadable } from './latency.ts';

const workers = 4;
const pieceSize = 500;
const warmUps = 8;
/** The most samples; fewer if the recompute ends before. */
const mostFinishes = 400;
const pollMs = 250;
const aim = 'p99 ≤ 1 s';

/** `students` is how many are recomputed meanwhile. */
export const benchLanes = (students: number): Promise<Section> =>
  withService((service) => measure(service, students), { workers });

async function measure(service: Service, students: number): Promise<Section> {
  const large = await buildSchool(service, students, true);
  await announce(service, large);
  await untilEvaluated(service, large);
  const small = await buildSchool(service, mostFinishes + warmUps, false);
  await finishSome(service, small, small.studentIds.slice(0, warmUps), async () => true);
  await activateInPieces(service.owner, pieceSize);
  const from = performance.now();
  const isOpen = async () => (await pieces(service.owner)).some(({ state }) => state !== 'done');
  const waits = await finishSome(service, small, small.studentIds.slice(warmUps), isOpen);
  while (await isOpen()) await sleep(pollMs);
  return report(students, waits, performance.now() - from);
}

async function untilEvaluated({ owner }: Service, { organizationId, studentIds }: School): Promise<void> {
  for (;;) {
    const row = await inContext(owner, 'SUPER', (trx) =>
      trx('sse_run').where({ organizationId }).countDistinct('student_id as students').first(),
    );
    if (Number(row?.students) >= studentIds.length) return;
    await sleep(pollMs);
  }
}

/** Runs one after the other as long as `goesOn` returns true. Returns the wait of each. */
async function finishSome(
  service: Service,
  { organizationId, teacher }: School,
  studentIds: readonly number[],
  goesOn: () => Promise<boolean>,
): Promise<number[]> {
  const teacherToken = await signIn(service, teacher);
  const client = clientOf(service.url, 2);
  const waits: number[] = [];
  for (const id of studentIds) {
    if (!(await goesOn())) break;
    const token = await signIn(service, { id, organizationId });
    const path = await answerSome(client, token);
    const askedAt = new Date().toISOString();
    await client.ask('POST', `${path}/finish`, token, {});
    waits.push(await untilReadable(client, teacherToken, id, askedAt));
  }
  client.close();
  return waits;
}

function report(students: number, waits: readonly number[], elapsedMs: number): Section {
  const line = (contender: string, share: number): Row => ({
    contender,
    result: duration(percentile(waits, share) * 1e6),
  });
  const rate = `${Math.round((students * 1_000) / elapsedMs)} students/s`;
  return {
    title: 'From finish to readable during a national recompute',
    note: `${students} students with 100 responses are evaluated by new rules in pieces of ${pieceSize}, ${workers} workers, while ${waits.length} others finish one after the other. API, workers, PostgreSQL and those who ask share the same cores.`,
    rows: [
      line('half of the students', 0.5),
      line('19 of 20', 0.95),
      { ...line('99 of 100', 0.99), aim },
      line('all', 1),
      { contender: 'recompute meanwhile', result: rate },
    ],
  };
}
