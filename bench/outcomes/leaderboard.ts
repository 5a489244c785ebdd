// The recent growth of the children of a school, as its adults read it: in an organization of several schools, after a year of
// growth of every child.
import type { Static } from 'typebox';
import { inContext } from '../../src/core/platform/db.ts';
import { localDate } from '../../src/core/platform/pure/dates/calendar.ts';
import { daysBefore } from '../../src/core/platform/pure/dates/days.ts';
import { masterySourceKinds } from '../../src/outcomes/rewards/engine/enums.ts';
import { leaderboard } from '../../src/outcomes/rewards/reads/leaderboard.ts';
import type { Leaderboard } from '../../src/outcomes/rewards/reads/schemas.ts';
import {
  buildClass,
  buildOrganization,
  buildPrincipal,
  buildSchool,
  type ClassRow,
  type SchoolRow,
  type UserRow,
} from '../../tests/harness/factories.ts';
import { clientOf, signIn } from '../harness/client.ts';
import { assertEqual, percentile, sideBySide } from '../harness/measure.ts';
import { cpuMs } from '../harness/processes.ts';
import { duration, type Row, type Section, times } from '../harness/report.ts';
import { insertStudents } from '../harness/school.ts';
import { type Service, withService } from '../harness/service.ts';

const schools = 5;
const classesOfSchool = 80;
const studentsOfClass = 25;
const eventsOfStudent = 60;
const calls = 60;
const timeZone = 'Asia/Riyadh';

export const benchLeaderboard = (): Promise<Section> => withService(measure);

interface Built {
  readonly school: SchoolRow;
  readonly classRow: ClassRow;
  readonly principal: UserRow;
}

async function measure(service: Service): Promise<Section> {
  const built = await build(service);
  const token = await signIn(service, built.principal);
  const client = clientOf(service.url, 1);
  const ask = (unit: string, windowDays: number) =>
    client.ask('GET', `/api/leaderboards/${unit}?windowDays=${windowDays}`, token);
  const ofSchool = `school/${built.school.id}`;
  try {
    for (const days of [14, 90]) {
      assertEqual(`${days} days`, eventsIn(await ask(ofSchool, days)), await counted(service, built, days));
    }
    const read = readAlone(service, built);
    const contenders = [
      { name: 'served', operations: 1, run: () => ask(ofSchool, 14) },
      { name: 'read', operations: 1, run: read },
    ];
    const timings = await sideBySide(contenders);
    const asked = [
      await askedOften(service, () => ask(ofSchool, 14)),
      await askedOften(service, () => ask(ofSchool, 90)),
      await askedOften(service, () => ask(`class/${built.classRow.id}`, 14)),
    ];
    return sectionOf(asked, timings.get('served') ?? Number.NaN, timings.get('read') ?? Number.NaN);
  } finally {
    client.close();
  }
}

/** Returns the last school, its first class and its principal. */
async function build({ owner }: Service): Promise<Built> {
  const { id: organizationId } = await buildOrganization(owner);
  let built: Built | undefined;
  for (let at = 0; at < schools; at += 1) {
    const school = await buildSchool(owner, { organizationId });
    const classes: ClassRow[] = [];
    for (let number = 0; number < classesOfSchool; number += 1) {
      classes.push(await buildClass(owner, { organizationId, schoolId: school.id, name: String(number) }));
    }
    const ids: number[] = [];
    for (const classRow of classes) ids.push(...(await insertStudents(owner, classRow, studentsOfClass)));
    await insertEvents(owner, organizationId, ids);
    built = { school, classRow: classes[0] as ClassRow, principal: await buildPrincipal(owner, school) };
  }
  await owner.raw('vacuum analyze mastery_event');
  await owner.raw('analyze');
  return built as Built;
}

/** Spreads growth evenly over a year, in the order of days. */
const insertEvents = (owner: Service['owner'], organizationId: string, studentIds: readonly number[]) =>
  owner.raw(
    `insert into mastery_event (organization_id, school_year, student_id, source_kind, natural_key, source_type, source_id,
       session_key, occurred_at, local_date, missed_school_days, recorded_at, rule_version)
     select :organizationId, 'bench', s.id, (:kinds::text[])[1 + (n + s.id) % 8], 'a:' || n, 'bundle_assignment', 'a',
       'live:' || n, d.at, (d.at at time zone :timeZone)::date, 0, d.at, 'gamification/rewards@1'
     from unnest(:studentIds::bigint[]) as s (id) cross join generate_series(1, :events::integer) as n
     cross join lateral (select now() - (n * 6 + s.id) % 365 * interval '1 day' as at) d order by d.at, s.id`,
    { organizationId, studentIds, events: eventsOfStudent, kinds: [...masterySourceKinds], timeZone },
  );

const eventsIn = (text: string): number =>
  (JSON.parse(text) as Static<typeof Leaderboard>).entries.reduce((sum, one) => sum + one.masteryEventCount, 0);

async function counted({ owner, services }: Service, { school }: Built, windowDays: number): Promise<number> {
  const to = localDate(services.clock.now(), timeZone);
  const row = await owner('mastery_event as m')
    .join('enrollment as e', 'e.studentId', 'm.studentId')
    .join('class as c', 'c.id', 'e.classId')
    .where('c.schoolId', school.id)
    .whereBetween('m.localDate', [daysBefore(to, windowDays - 1), to])
    .count({ count: '*' })
    .first();
  return Number(row?.count);
}

/** Runs the computation of a request without the request. */
const readAlone =
  ({ services }: Service, { school: { id: schoolId, organizationId } }: Built) =>
  () =>
    inContext(services.db, { organizationId }, (trx) =>
      leaderboard({
        services,
        trx,
        now: services.clock.now(),
        query: { windowDays: 14 },
        scope: { organizationId, scope: 'school', classIds: null, schoolId },
      }),
    );

interface Asked {
  /** Durations in nanoseconds. */
  readonly waits: readonly number[];
  /** One call. */
  readonly ownMs: number;
  readonly databaseMs: number;
}

/** Calls one after the other. */
async function askedOften({ pids }: Service, call: () => Promise<unknown>): Promise<Asked> {
  const before = { own: cpuMs(pids.api), database: cpuMs(pids.database) };
  const waits: number[] = [];
  for (let at = 0; at < calls; at += 1) {
    const from = performance.now();
    await call();
    waits.push((performance.now() - from) * 1e6);
  }
  const perCall = (after: number, since: number) => (after - since) / calls;
  return {
    waits,
    ownMs: perCall(cpuMs(pids.api), before.own),
    databaseMs: perCall(cpuMs(pids.database), before.database),
  };
}

function rowsOf(what: string, { waits, ownMs, databaseMs }: Asked, aim: string): Row[] {
  return [
    { contender: `${what}, half of them`, result: duration(percentile(waits, 0.5)) },
    { contender: `${what}, 19 of 20`, result: duration(percentile(waits, 0.95)), aim },
    {
      contender: '· processor time of the API a call',
      result: `${ownMs.toFixed(1)} ms, PostgreSQL ${databaseMs.toFixed(1)} ms`,
    },
  ];
}

function sectionOf(asked: readonly Asked[], served: number, read: number): Section {
  const names = ['a school, 14 days', 'a school, 90 days', 'a class, 14 days'];
  const rows = [
    ...asked.flatMap((one, at) => rowsOf(names[at] ?? '', one, at === 0 ? '≤ 50 ms' : '')),
    { contender: 'a school, 14 days, without request and answer', result: duration(read), ratio: times(read, served) },
  ];
  const students = classesOfSchool * studentsOfClass;
  const note = `A school of ${students} students in an organization of ${schools} such schools, ${eventsOfStudent} mastery events a student over a year, asked by its principal over HTTP, one after the other. Asserted: as many events as a count of the rows finds.`;
  return { title: 'Growth of a school', note, rows };
}
