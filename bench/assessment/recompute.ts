// Recomputes of whole schools: through outbox, relay, queue and worker as after a diagnostic, and without the queue as after a
// change of rules; with the cost for each process.
import { setTimeout as sleep } from 'node:timers/promises';
import { recomputeStudents } from '../../src/assessment/skill-status/recompute/recompute.ts';
import { inContext } from '../../src/core/platform/db.ts';
import { assertEqual } from '../harness/measure.ts';
import { cpuMs, residentMiB } from '../harness/processes.ts';
import type { Row, Section } from '../harness/report.ts';
import { announce, buildSchool, type School } from '../harness/school.ts';
import { type Service, withService } from '../harness/service.ts';

const warmUpStudents = 50;
const pollMs = 50;
const timeoutMs = 120_000;
const aim = '≥ 400 students/s';
const costAim = '≤ 2.5 ms';

/** `sizes` are the numbers of students of the schools, which run one after the other. */
export const benchRecompute = (sizes: readonly number[]): Promise<Section> =>
  withService((service) => measure(service, sizes));

async function measure(service: Service, sizes: readonly number[]): Promise<Section> {
  const warmUp = await buildSchool(service, warmUpStudents, true);
  await throughQueue(service, warmUp);
  await withoutQueue(service, await buildSchool(service, warmUpStudents, true));
  const rows: Row[] = [];
  for (const size of sizes) {
    const queued = await buildSchool(service, size, true);
    const direct = await buildSchool(service, size, true);
    rows.push(...(await throughQueue(service, queued)), ...(await withoutQueue(service, direct)));
    assertEqual('the queue', await statuses(service, queued), await statuses(service, direct));
  }
  const { api, worker } = service.pids;
  rows.push({ contender: 'resident memory, API', result: `${residentMiB(api)} MiB` });
  rows.push({ contender: 'resident memory, worker', result: `${residentMiB(worker)} MiB` });
  return {
    title: 'Recompute with storage',
    note: '100 responses a student, first run of each (every row is new, the dearest case). Asserted: both ways store the same number of runs and the same statuses. Embedded PostgreSQL with durable commits, on the same cores.',
    rows,
  };
}

async function throughQueue(service: Service, school: School): Promise<Row[]> {
  const { worker, database } = service.pids;
  const before = { worker: cpuMs(worker), database: cpuMs(database) };
  const from = performance.now();
  await announce(service, school);
  while ((await servedCount(service, school)) < school.studentIds.length) {
    if (performance.now() - from > timeoutMs) throw new Error(`no end of the recompute after ${timeoutMs} ms`);
    await sleep(pollMs);
  }
  const elapsedMs = performance.now() - from;
  const count = school.studentIds.length;
  const spent = () => ({ worker: cpuMs(worker) - before.worker, database: cpuMs(database) - before.database });
  const stored = spent();
  await followed(service, school);
  const all = spent();
  return [
    { contender: `queue and worker, ${count} students`, result: rate(count, elapsedMs), aim },
    { ...costRow('worker', stored.worker / count, stored.database / count), aim: costAim },
    { ...costRow('worker', all.worker / count, all.database / count), contender: '· with all that follows' },
  ];
}

/** Waits until growth is evaluated, support is evaluated and classes are counted, as far as these were requested. */
async function followed({ owner }: Service, { organizationId }: School): Promise<void> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const { rows } = await owner.raw(
      `select (select count(*) from outbox o where o.organization_id = :organizationId and o.relayed_at is null)
         + (select count(*) from mastery_candidate c where c.organization_id = :organizationId)
         + (select count(*) from rti_evaluation_request q
            where q.organization_id = :organizationId and q.requested_seq > q.processed_seq)
         + (select count(*) from rollup_request q
            where q.organization_id = :organizationId and q.requested_seq > q.processed_seq) as waiting`,
      { organizationId },
    );
    if (Number(rows[0]?.waiting) === 0) return;
    if (performance.now() > until) throw new Error(`the work after the runs has not ended after ${timeoutMs} ms`);
    await sleep(pollMs);
  }
}

/** Both for one student; on a shared machine they tell more than the rate. */
const costRow = (who: string, ownMs: number, databaseMs: number): Row => ({
  contender: '· processor time a student',
  result: `${(ownMs + databaseMs).toFixed(2)} ms: ${who} ${ownMs.toFixed(2)}, PostgreSQL ${databaseMs.toFixed(2)}`,
});

/** Measured in this process. Time outside of statements is computation, because the statements of a run are sequential. */
async function withoutQueue(service: Service, school: School): Promise<Row[]> {
  const { services } = service;
  const count = school.studentIds.length;
  const { database } = service.pids;
  const inStatements = watchStatements(service);
  const before = { own: cpuMs(process.pid), database: cpuMs(database) };
  const from = performance.now();
  await recomputeStudents(services, school.organizationId, school.studentIds);
  const elapsedMs = performance.now() - from;
  const spent = { own: cpuMs(process.pid) - before.own, database: cpuMs(database) - before.database };
  const { spentMs, statements } = inStatements();
  const share = (ms: number) => `${(ms / count).toFixed(2)} ms`;
  return [
    { contender: `in batches without the queue, ${count} students`, result: rate(count, elapsedMs), aim },
    {
      contender: '· wall time a student',
      result: `SQL ${share(spentMs)} (${(statements / count).toFixed(1)} statements), computing ${share(elapsedMs - spentMs)}`,
    },
    { ...costRow('this process', spent.own / count, spent.database / count), aim: costAim },
  ];
}

function watchStatements({ services }: Service) {
  const startedAt = new Map<string, number>();
  let spentMs = 0;
  let statements = 0;
  const began = ({ __knexQueryUid: id }: { __knexQueryUid: string }) => startedAt.set(id, performance.now());
  const ended = (_response: unknown, { __knexQueryUid: id }: { __knexQueryUid: string }) => {
    spentMs += performance.now() - (startedAt.get(id) ?? Number.NaN);
    statements += 1;
  };
  services.db.on('query', began).on('query-response', ended);
  return () => {
    services.db.removeListener('query', began).removeListener('query-response', ended);
    return { spentMs, statements };
  };
}

const rate = (count: number, elapsedMs: number) =>
  `${Math.round((count * 1_000) / elapsedMs)} students/s (${(elapsedMs / 1_000).toFixed(2)} s)`;

/**
 * Counts by the requests, which are closed in the transaction that stores a run: counting runs would read all of them, 0.04 ms
 * per student.
 */
async function servedCount({ owner }: Service, { organizationId }: School): Promise<number> {
  const row = await inContext(owner, 'SUPER', (trx) =>
    trx('sse_recompute_request')
      .where({ organizationId })
      .whereRaw('processed_seq = requested_seq')
      .count('* as count')
      .first(),
  );
  return Number(row?.count ?? 0);
}

/** Counts of statuses by sub-skill; ids and times differ from school to school. */
async function statuses({ owner }: Service, { organizationId }: School): Promise<unknown> {
  return inContext(owner, 'SUPER', (trx) =>
    trx('sse_skill_snapshot')
      .where({ organizationId })
      .groupBy('subSkillCode', 'outcome', 'status', 'confidence')
      .orderBy(['subSkillCode', 'outcome', 'status', 'confidence'])
      .select('subSkillCode', 'outcome', 'status', 'confidence')
      .count('* as count'),
  );
}
