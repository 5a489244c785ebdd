// The first night after a season, in which every school of an organization and then the organization is counted, protected and
// published; and the next night, in which nothing is left to do.

import type { Services } from '../../src/core/module/services.ts';
import { seededNumbers } from '../../src/core/platform/pure/random.ts';
import { nightlyRelease } from '../../src/outcomes/aggregates/releases/nightly.ts';
import { rebuildOrganization } from '../../src/outcomes/aggregates/rollups/rebuild.ts';
import {
  buildSchools,
  type EvaluatedSchools,
  storeEvaluations,
} from '../../tests/outcomes/aggregates/releases/evaluated-schools.ts';
import { assertEqual } from '../harness/measure.ts';
import { cpuMs } from '../harness/processes.ts';
import type { Row, Section } from '../harness/report.ts';
import { type Service, withService } from '../harness/service.ts';

const classSizes = [12, 19, 24, 28];
const bands = ['Meets', 'Meets', 'Meets', 'Approaching', 'Approaching', 'Below', 'Severe', 'More_Data'];
/** Rules are in force from the start of the service on, so the night is one of the following year. */
const year = new Date().getUTCFullYear() + 1;
const [inAutumn, night] = [`${year}-11-20T09:00:00.000Z`, `${year}-11-30T23:00:00.000Z`];
const nightAim = '≤ 1 h';

/** `count` is the number of schools. */
export const benchNight = (count: number): Promise<Section> =>
  withService((service) => measure(service, count), { workers: 0 });

async function measure(service: Service, count: number): Promise<Section> {
  const schools = await evaluatedSchools(service, count);
  const { organizationId } = schools;
  const services: Services = { ...service.services, clock: { now: () => new Date(night) } };
  const rollUp = await spent(service, () => rebuildOrganization(services, organizationId));
  await service.owner.raw('analyze');
  const release = () => nightlyRelease(services, { organizationId, date: `${year}-12-01` });
  const [first, second] = [await spent(service, release), await spent(service, release)];
  assertEqual('units published', await published(service, organizationId), count + 1);
  const students = classSizes.reduce((sum, size) => sum + size, 0);
  return {
    title: 'A night of releases',
    note: `An organization of ${count} schools of ${classSizes.length} classes and ${students} children each, nine of ten of whom were measured, with all spaces of cells. Asserted: every school and the organization were published once. Embedded PostgreSQL with durable commits, on the same cores.`,
    rows: [
      ...rowsOf('all counts of the day made anew', rollUp, count),
      ...rowsOf('first night after the season, all published', first, count),
      ...rowsOf('the night after it', second, count),
    ],
  };
}

async function evaluatedSchools({ owner }: Service, count: number): Promise<EvaluatedSchools> {
  const schools = await buildSchools(
    owner,
    Array.from({ length: count }, () => classSizes),
  );
  const chance = seededNumbers(count);
  for (const { classes } of schools.schools) {
    const students = classes.flatMap((one) => one.students).filter(() => chance() < 0.89);
    const evaluations = students.map((studentId) => ({
      studentId,
      bands: bands[Math.floor(chance() * bands.length)] ?? '',
      sufficient: chance() < 0.7,
    }));
    await storeEvaluations(owner, schools.organizationId, evaluations, {
      at: inAutumn,
      schoolYear: `${year}-${year + 1}`,
    });
  }
  await owner.raw('analyze');
  return schools;
}

interface Spent {
  readonly elapsedMs: number;
  readonly ownMs: number;
  readonly databaseMs: number;
}

async function spent({ pids }: Service, work: () => Promise<void>): Promise<Spent> {
  const before = { own: cpuMs(process.pid), database: cpuMs(pids.database) };
  const from = performance.now();
  await work();
  return {
    elapsedMs: performance.now() - from,
    ownMs: cpuMs(process.pid) - before.own,
    databaseMs: cpuMs(pids.database) - before.database,
  };
}

async function published({ owner }: Service, organizationId: string): Promise<number> {
  const row = await owner('aggregate_release').where({ organizationId }).count({ count: '*' }).first();
  return Number(row?.count);
}

const rowsOf = (what: string, { elapsedMs, ownMs, databaseMs }: Spent, count: number): Row[] => [
  { contender: `${what}, ${count} schools`, result: `${(elapsedMs / 1_000).toFixed(1)} s`, aim: nightAim },
  {
    contender: '· processor time a school',
    result: `${(ownMs / count).toFixed(1)} ms, PostgreSQL ${(databaseMs / count).toFixed(1)} ms`,
  },
];
