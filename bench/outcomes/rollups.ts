// The lag of class counts: ten thousand children finish at once, and a worker that also has all other work for them counts
// their classes.
import { setTimeout as sleep } from 'node:timers/promises';
import { recomputeStudents } from '../../src/assessment/skill-status/recompute/recompute.ts';
import { inContext } from '../../src/core/platform/db.ts';
import { rowsOf } from '../../src/core/platform/sql.ts';
import { evaluatedStudents } from '../harness/evaluated-students.ts';
import { assertEqual } from '../harness/measure.ts';
import { cpuMs } from '../harness/processes.ts';
import type { Section } from '../harness/report.ts';
import { buildSchool } from '../harness/school.ts';
import { type Service, withService } from '../harness/service.ts';

const finishes = 10_000;
const classSize = 25;
const realStudents = 50;
const pollMs = 100;
const timeoutMs = 180_000;
const aim = '≤ 30 s';

export const benchRollups = (): Promise<Section> => withService(measure);

async function measure(service: Service): Promise<Section> {
  const { owner, pids } = service;
  const school = await buildSchool(service, realStudents, true);
  await recomputeStudents(service.services, school.organizationId, school.studentIds);
  await untilCounted(service, school.organizationId, realStudents);
  const before = { worker: cpuMs(pids.worker), database: cpuMs(pids.database) };
  const classes = finishes / classSize;
  const { organizationId, announce } = await evaluatedStudents(owner, school, {
    count: finishes,
    classSize,
    // Otherwise students with runs by then are among the day's first counts.
    enrolled: (id) => untilClasses(service, id, classes),
  });
  assertEqual('before the events', await studentsCounted(service, organizationId), 0);
  await announce();
  const waitedMs = await untilCounted(service, organizationId, finishes);
  const spent = { worker: cpuMs(pids.worker) - before.worker, database: cpuMs(pids.database) - before.database };
  assertEqual('classes', await classesCounted(service, organizationId), classes);
  const waiting = await evaluationsLeft(service, organizationId);
  return {
    title: 'Counts of classes behind finishes',
    note,
    rows: [
      { contender: `all ${classes} classes counted`, result: `${(waitedMs / 1_000).toFixed(1)} s`, aim },
      {
        contender: '· processor time until then',
        result: `worker ${(spent.worker / 1_000).toFixed(1)} s, PostgreSQL ${(spent.database / 1_000).toFixed(1)} s`,
      },
      { contender: '· evaluations of alerts that wait then', result: waiting.toLocaleString('en') },
    ],
  };
}

async function untilCounted(service: Service, organizationId: string, students: number): Promise<number> {
  const from = performance.now();
  for (;;) {
    const measured = await studentsCounted(service, organizationId);
    const waitedMs = performance.now() - from;
    if (measured === students) return waitedMs;
    if (waitedMs > timeoutMs) throw new Error(`${measured} of ${students} counted after ${timeoutMs} ms`);
    await sleep(pollMs);
  }
}

/** Returns the number of measured students in the counts. */
async function studentsCounted({ owner }: Service, organizationId: string): Promise<number> {
  const [row] = await inContext(owner, 'SUPER', (trx) =>
    rowsOf<{ measured: number }>(
      trx,
      `select coalesce(sum((d.measured ->> 'BOY')::bigint + (d.measured ->> 'MOY')::bigint
         + (d.measured ->> 'EOY')::bigint), 0)::bigint as measured
       from org_daily_class d join org_rollup r on r.organization_id = d.organization_id and r.day = d.day
       where d.organization_id = :organizationId`,
      { organizationId },
    ),
  );
  return row?.measured ?? 0;
}

async function untilClasses(service: Service, organizationId: string, classes: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  while ((await classesCounted(service, organizationId)) < classes) {
    if (performance.now() > until) throw new Error(`the day's counts of ${classes} classes are not there`);
    await sleep(pollMs);
  }
}

async function classesCounted({ owner }: Service, organizationId: string): Promise<number> {
  const row = await owner('org_daily_class').where({ organizationId }).count({ count: '*' }).first();
  return Number(row?.count);
}

async function evaluationsLeft({ owner }: Service, organizationId: string): Promise<number> {
  const row = await owner('rti_evaluation_request')
    .where({ organizationId })
    .whereRaw('requested_seq > processed_seq')
    .count({ count: '*' })
    .first();
  return Number(row?.count);
}

const note = `${finishes.toLocaleString('en')} students in classes of ${classSize}, each with the run of a real one, as if all had finished in one moment: from the commit of their events to the last class that is counted. One worker, which has the alerts of all of them to evaluate too. Asserted: every student is counted as measured, and each class once.`;
