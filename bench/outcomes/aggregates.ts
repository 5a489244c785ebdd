// Aggregates of an organization of a thousand schools, read over HTTP by people with and without access to the children.
import { buildPrincipal, buildUser } from '../../tests/harness/factories.ts';
import { clientOf, signIn } from '../harness/client.ts';
import { buildLargeOrganization, type LargeOrganization, type Sizes } from '../harness/large-organization.ts';
import { percentile } from '../harness/measure.ts';
import { cpuMs } from '../harness/processes.ts';
import { duration, type Row, type Section } from '../harness/report.ts';
import { type Service, withService } from '../harness/service.ts';

const sizes: Sizes = { schools: 1_000, classesOfSchool: 10, studentsOfClass: 20, days: 7, years: 2 };
const warmUps = 10;
const calls = 60;
const aim = '≤ 50 ms';

/** There is no worker, because it would recount what was inserted directly. */
export const benchAggregates = (): Promise<Section> => withService(measure, { workers: 0 });

async function measure(service: Service): Promise<Section> {
  const from = performance.now();
  const organization = await buildLargeOrganization(service.owner, sizes);
  console.error(`written in ${((performance.now() - from) / 1_000).toFixed(0)} s`);
  const rows: Row[] = [];
  const used = () => [cpuMs(service.pids.api), cpuMs(service.pids.database)];
  const client = clientOf(service.url, 1);
  for (const [contender, path, token] of await answers(service, organization)) {
    const waits: number[] = [];
    let before = used();
    for (let call = -warmUps; call < calls; call += 1) {
      if (call === 0) before = used();
      const askedAt = performance.now();
      await client.ask('GET', path, token);
      if (call >= 0) waits.push((performance.now() - askedAt) * 1e6);
    }
    const [half, most] = [0.5, 0.95].map((share) => duration(percentile(waits, share)));
    const after = used();
    const [api, database] = after.map((ms, at) => ((ms - (before[at] ?? 0)) / calls).toFixed(1));
    rows.push({ contender, result: `${most}, half of them ${half}; API ${api} ms, PostgreSQL ${database} ms`, aim });
  }
  client.close();
  return { title: 'Counts of a thousand schools', note, rows };
}

async function answers(service: Service, { organizationId, schoolIds: [schoolId = ''] }: LargeOrganization) {
  const { owner } = service;
  const manager = await signIn(service, await buildUser(owner, 'MANAGER', { organizationId }));
  const principal = await signIn(service, await buildPrincipal(owner, { id: schoolId, organizationId }));
  const [ofOrganization, ofSchool] = [`/api/orgs/${organizationId}`, `/api/principal/schools/${schoolId}`];
  return [
    ['organization, overview', `${ofOrganization}/overview`, manager],
    ['· with squares', `${ofOrganization}/overview?squares=true`, manager],
    [
      'comparisons, share of a tile',
      `${ofOrganization}/comparisons?metric=support_share&tileCode=WORD_READING`,
      manager,
    ],
    ['comparisons, share measured', `${ofOrganization}/comparisons?metric=measured_share`, manager],
    ['trends of two years', `${ofOrganization}/trends`, manager],
    ['what came of a bundle', '/api/bundles/BND-DECODE-01/effect', manager],
    ['school, overview, released', `${ofSchool}/overview`, manager],
    ['school, overview, live', `${ofSchool}/overview`, principal],
    ['heatmap, released', `${ofSchool}/heatmap`, manager],
    ['heatmap, live', `${ofSchool}/heatmap`, principal],
  ] as const;
}

const note = `${sizes.schools} schools, ${sizes.schools * sizes.classesOfSchool} classes and ${sizes.schools * sizes.classesOfSchool * sizes.studentsOfClass} students of one organization; counts of ${sizes.days} days, releases of ${sizes.years} school years (of schools and classes the newest season). Each answer ${calls} times over HTTP, one after the other: 19 of 20 took so long at most; then the processor time of one. That an answer takes at most two statements, none of them with a row of a child, a test asserts.`;
