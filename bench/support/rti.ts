// The evaluation of the alerts of an organization: the first one, in which every state of a skill is new, and the daily one.

import { recomputeStudents } from '../../src/assessment/skill-status/recompute/recompute.ts';
import { evaluateOrganization } from '../../src/support/rti/evaluation/daily.ts';
import { assertEqual } from '../harness/measure.ts';
import { cpuMs } from '../harness/processes.ts';
import type { Row, Section } from '../harness/report.ts';
import { buildSchool, type School } from '../harness/school.ts';
import { type Service, withService } from '../harness/service.ts';

const warmUpStudents = 50;
const costAim = '≤ 3 ms';
const dayAim = '≤ 60 s';

/** `count` is the number of students. */
export const benchRti = (count: number): Promise<Section> => withService((service) => measure(service, count));

async function measure(service: Service, count: number): Promise<Section> {
  const warmUp = await recomputed(service, warmUpStudents);
  for (let look = 0; look < 2; look += 1) await looked(service, warmUp);
  const school = await recomputed(service, count);
  const first = await looked(service, school);
  await service.owner.raw('analyze');
  const daily = await looked(service, school);
  assertEqual('students followed', await followed(service, school), count);
  return {
    title: 'Evaluating alerts, with storage',
    note: `An organization of ${count} students with 100 responses each, all in a class, as the daily job goes through it. Asserted: every student was followed. Embedded PostgreSQL with durable commits, on the same cores.`,
    rows: [...rowsOf('first look, all states and alerts new', first, count), ...rowsOf('daily look', daily, count)],
  };
}

async function recomputed(service: Service, count: number): Promise<School> {
  const school = await buildSchool(service, count, true);
  await recomputeStudents(service.services, school.organizationId, school.studentIds);
  await service.owner.raw('analyze');
  return school;
}

interface Spent {
  readonly elapsedMs: number;
  readonly ownMs: number;
  readonly databaseMs: number;
}

async function looked({ services, pids }: Service, { organizationId }: School): Promise<Spent> {
  const before = { own: cpuMs(process.pid), database: cpuMs(pids.database) };
  const from = performance.now();
  await evaluateOrganization(services, organizationId);
  return {
    elapsedMs: performance.now() - from,
    ownMs: cpuMs(process.pid) - before.own,
    databaseMs: cpuMs(pids.database) - before.database,
  };
}

async function followed({ owner }: Service, { organizationId }: School): Promise<number> {
  const row = await owner('skill_state_cursor').where({ organizationId }).count({ count: '*' }).first();
  return Number(row?.count);
}

const rowsOf = (what: string, { elapsedMs, ownMs, databaseMs }: Spent, count: number): Row[] => [
  { contender: `${what}, ${count} students`, result: `${(elapsedMs / 1_000).toFixed(1)} s`, aim: dayAim },
  {
    contender: '· processor time a student',
    result: `${(ownMs / count).toFixed(2)} ms, PostgreSQL ${(databaseMs / count).toFixed(2)} ms`,
    aim: costAim,
  },
];
