// timeout: 120s
// The nights as the scheduler runs them: in the second hour of each organization's own day, whatever fails in another one, and
// by the rules that are in force in that night.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { releaseJobs } from '#outcomes/aggregates/releases/jobs.ts';
import { nightlyRelease } from '#outcomes/aggregates/releases/nightly.ts';
import { enoughPercent, isMeasured } from '#outcomes/aggregates/releases/publish-school.ts';
import { rebuildOrganization } from '#outcomes/aggregates/rollups/rebuild.ts';
import { appendActivation, lockActivations } from '#rules/rulesets/index.ts';
import { scheduler } from '../../../../workers/schedules.ts';
import { installVersion, nextVersion } from '../../../backoffice/workbench/backoffice.ts';
import { useApp } from '../../../harness/http.ts';
import { capturedLog, noQueues } from '../../../workers/support.ts';
import { buildSchools, type EvaluatedSchools, storeEvaluations } from './evaluated-schools.ts';

const app = useApp(test, { rules: true });
const { clock, services, database } = app;
const { owner } = database;

interface Out {
  readonly unit: string;
  readonly schoolYear: string;
  readonly season: string;
  readonly releasedAt: string;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

const out = async ({ organizationId }: EvaluatedSchools, season: string): Promise<Out[]> =>
  (await owner('aggregate_release').where({ organizationId, season }).orderBy('ledgerNo').select('*')) as Out[];

/** Two of three children, so that no school is out before the end of the season. */
async function measureSome({ organizationId, schools }: EvaluatedSchools, at: string): Promise<void> {
  const students = schools.flatMap(({ classes }) => classes.flatMap((one) => one.students));
  const some = students.filter((_, place) => place % 3 > 0);
  await storeEvaluations(
    owner,
    organizationId,
    some.map((studentId, place) => ({ studentId, bands: place % 4 === 0 ? 'Below' : 'Meets' })),
    { at },
  );
}

/** A process that looks once at what is due. */
async function tick(at: number): Promise<void> {
  const { log } = capturedLog();
  const one = scheduler({ services, queues: noQueues, log, schedules: [], daily: releaseJobs.daily ?? [] });
  clock.set(new Date(at));
  await one.tick();
  await one.idle();
}

test('a season that ends with the school year is out at two in each organization’s own night, not before', async () => {
  const begins = {
    'Pacific/Auckland': '2026-07-31T14:00:00.000Z',
    'Asia/Riyadh': '2026-07-31T23:00:00.000Z',
    'America/New_York': '2026-08-01T06:00:00.000Z',
  };
  const organizations = [];
  for (const [timeZone, at] of Object.entries(begins)) {
    const schools = await buildSchools(owner, [[12, 9], [15]], { organization: { timeZone } });
    await measureSome(schools, '2026-06-10T09:00:00.000Z');
    organizations.push({ schools, at });
  }
  const minutes = 60_000;
  for (const { at } of organizations)
    for (const offset of [-31 * minutes, -minutes, 0, 30 * minutes]) await tick(Date.parse(at) + offset);
  for (const { schools, at } of organizations) {
    const releases = await out(schools, 'EOY');
    assert.equal(
      releases.map(({ unit, schoolYear, releasedAt }) => [unit, schoolYear, new Date(releasedAt).toISOString()]),
      [
        ['school', '2025-2026', at],
        ['school', '2025-2026', at],
        ['organization', '2025-2026', at],
      ],
    );
  }
});

test('an organization that fails keeps back no other one', async () => {
  const bad = await buildSchools(owner, [[12]]);
  const good = await buildSchools(owner, [[12]]);
  for (const schools of [bad, good]) await measureSome(schools, '2025-10-10T09:00:00.000Z');
  await owner.raw('alter table sse_run disable trigger user');
  await owner('sse_run')
    .where({ organizationId: bad.organizationId })
    .update({ tiles: JSON.stringify(null) });
  await tick(Date.parse('2025-11-30T23:10:00.000Z'));
  const units = async (schools: EvaluatedSchools) => (await out(schools, 'BOY')).map(({ unit }) => unit);
  assert.equal(await Promise.all([bad, good].map(units)), [[], ['school', 'organization']]);
});

async function activate(values: Readonly<Record<string, number>>): Promise<void> {
  const name = 'band-descriptions/manager';
  const document = await nextVersion(owner, name, values);
  await installVersion(owner, document);
  const { version } = document.meta as { version: number };
  await inContext(owner, 'SUPER', async (trx) => {
    const timeline = await lockActivations(trx, { now: () => clock.now() });
    const versions = { ...timeline.current, [name]: version };
    const entry = { versions, kind: 'activate', reason: 'policy_change', activatedBy: null, approvedBy: [] } as const;
    await appendActivation(trx, entry, timeline);
  });
}

test('a stricter version of the rules protects the next season, and says nothing anew of the one that is out', async () => {
  const schools = await buildSchools(owner, [[24]]);
  const { organizationId } = schools;
  const [one] = schools.schools[0]?.classes ?? [];
  const measure = (at: string) => {
    const bands = ['Meets', 'Meets', 'Approaching', 'Approaching', 'Below', 'Severe'];
    const students = one?.students ?? [];
    return storeEvaluations(
      owner,
      organizationId,
      students.map((studentId, place) => ({ studentId, bands: bands[place % bands.length] ?? '' })),
      { at },
    );
  };
  const night = async (at: string, date: string) => {
    clock.set(at);
    await rebuildOrganization(services, organizationId);
    await nightlyRelease(services, { organizationId, date });
  };
  const shown = async (season: string) => {
    const cell = await owner('aggregate_cell')
      .where({ organizationId, season, unit: 'school', subject: 'FLUENCY' })
      .first();
    return (cell as { readonly counts: Readonly<Record<string, number | null>> }).counts;
  };
  await measure('2025-11-10T09:00:00.000Z');
  await night('2025-11-10T23:00:00.000Z', '2025-11-11');
  const hidden = { Below: null, Severe: null, More_Data: null };
  assert.equal(await shown('BOY'), { Meets: 8, Approaching: 8, ...hidden });
  await activate({ 'PRT-MIN-01': 9 });
  await night('2025-11-30T23:00:00.000Z', '2025-12-01');
  assert.equal(await shown('BOY'), { Meets: 8, Approaching: 8, ...hidden });
  await measure('2026-01-10T09:00:00.000Z');
  await night('2026-01-10T23:00:00.000Z', '2026-01-11');
  assert.equal(await shown('MOY'), { Meets: null, Approaching: null, ...hidden });
  const versions = [await out(schools, 'BOY'), await out(schools, 'MOY')].map((releases) =>
    releases.map(({ unit, ruleVersions }) => [unit, ruleVersions['band-descriptions/manager']]),
  );
  assert.equal(versions, [
    [
      ['school', 1],
      ['organization', 2],
    ],
    [['school', 2]],
  ]);
});

test('exactly nine of ten are enough, and a school without students is not published', () => {
  assert.is(enoughPercent, 90);
  const isEnough = (measured: number, students: number) => isMeasured({ measured, students } as never);
  assert.equal(
    [isEnough(9, 10), isEnough(899, 1000), isEnough(900, 1000), isEnough(899, 999)],
    [true, false, true, false],
  );
  assert.equal([isEnough(1999, 2221), isEnough(1998, 2221), isEnough(0, 0)], [true, false, false]);
});

test.run();
