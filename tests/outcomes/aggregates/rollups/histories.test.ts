// timeout: 120s
// Whatever has happened, and in whatever pieces it was counted: the rows that were kept up are those that are made from
// nothing.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { inContext } from '#core/platform/db.ts';
import { seededNumbers } from '#core/platform/pure/random.ts';
import { setFlag } from '#identity/context-flags/index.ts';
import { enroll, removeFromClass } from '#identity/people/classes/enrollment.ts';
import { SchoolClass } from '#identity/people/index.ts';
import { rebuildOrganization } from '#outcomes/aggregates/rollups/rebuild.ts';
import { buildClass, buildSchool, buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import { decodingNeed, firstPart, halting, type Room } from '../../../support/interventions/classroom.ts';
import { useCountedSchools } from './counted-schools.ts';

const schools = useCountedSchools(test);
const { app, services, http, measure, student, catchUp, counted } = schools;
const { owner } = app.database;
const minuteMs = 60_000;
const letters = [firstPart(), decodingNeed, { ...firstPart(), ...halting }, { RC_LITERAL: 'UUUU' }];
const zones = ['Asia/Tokyo', 'America/New_York', 'Pacific/Auckland', null];

interface Place {
  readonly organizationId: string;
  readonly admin: UserRow;
  readonly teacher: UserRow;
  readonly room: Room;
  readonly schoolIds: readonly string[];
  readonly classIds: readonly number[];
  readonly students: UserRow[];
}

async function build(): Promise<Place> {
  const room = await schools.room();
  const { organizationId, classRow, teacher } = room;
  const elsewhere = await buildSchool(owner, { organizationId, timeZone: 'Asia/Tokyo' });
  const classes = [
    await buildClass(owner, { organizationId, schoolId: classRow.schoolId, name: '3A', grade: 3 }),
    await buildClass(owner, { organizationId, schoolId: elsewhere.id, name: '2B', grade: 2 }),
  ];
  return {
    ...{ organizationId, room, teacher, schoolIds: [classRow.schoolId, elsewhere.id] },
    classIds: [classRow.id, ...classes.map(({ id }) => id)],
    admin: await buildUser(owner, 'ADMIN', { organizationId }),
    students: await Promise.all(Array.from({ length: 8 }, () => student(room))),
  };
}

type Pick = <T>(list: readonly T[]) => T;

async function change(place: Place, method: 'patch' | 'post', path: string, body?: object): Promise<void> {
  const { status } = await http[method](path, body, { token: await signIn(app, place.admin) });
  assert.is(status, 200, path);
}

/** What may happen to a student, to a class, to a school and to the clock. */
const stepsIn = (place: Place, pick: Pick) => ({
  measure: async (one: UserRow) => {
    if (await owner('enrollment').where({ studentId: one.id }).first()) await measure([one], pick(letters));
  },
  move: (one: UserRow) =>
    inContext(services.db, place, async (trx) => {
      const target = await SchoolClass.query(trx).findById(pick(place.classIds)).throwIfNotFound();
      await enroll(trx, target, [one.id], app.clock.now());
    }),
  leave: async (one: UserRow) => {
    const [open] = await owner('enrollment').where({ studentId: one.id }).whereNull('enrolledTo');
    if (!open) return;
    await inContext(services.db, place, async (trx) => {
      const from = await SchoolClass.query(trx).findById(open.classId).throwIfNotFound();
      await removeFromClass(trx, from, one.id, app.clock.now());
    });
  },
  flag: (one: UserRow) =>
    inContext(services.db, place, async (trx) => {
      const of = { id: one.id, organizationId: place.organizationId };
      await setFlag(services, trx, of, { flagCode: 'long_absence' }, place.teacher.id);
    }),
  erase: async (one: UserRow) => {
    await change(place, 'post', `/api/students/${one.id}/erasure`);
    const { organizationId } = place;
    place.students.splice(place.students.indexOf(one), 1, await buildUser(owner, 'STUDENT', { organizationId }));
  },
  grade: () => change(place, 'patch', `/api/classes/${pick(place.classIds)}`, { grade: pick([1, 2, 3, 4]) }),
  clocks: () => change(place, 'patch', `/api/schools/${pick(place.schoolIds)}`, { timeZone: pick(zones) }),
  nextDay: async () => app.clock.advance(24 * 60 * minuteMs),
  count: () => catchUp(place.organizationId),
});

/** The rows as they were kept up, and as they are made when none is there. */
async function bothWays({ organizationId }: Place) {
  await catchUp(organizationId);
  const kept = await counted(organizationId);
  await owner('org_daily_class').where({ organizationId }).del();
  await owner('org_daily_rollup').where({ organizationId }).del();
  await rebuildOrganization(services, organizationId);
  return { kept, made: await counted(organizationId) };
}

for (const seed of [7, 21, 301, 4]) {
  test(`history ${seed}: moves, measurements, flags, erasures, grades, clocks and days`, async () => {
    // In some places the season is over already.
    app.clock.set('2026-03-31T13:30:00.000Z');
    const random = seededNumbers(seed);
    const pick: Pick = (list) => list[Math.floor(random() * list.length)] as never;
    const place = await build();
    await rebuildOrganization(services, place.organizationId);
    const steps = stepsIn(place, pick);
    const names = Object.keys(steps) as (keyof typeof steps)[];
    for (let part = 0; part < 12; part += 1) {
      const done: string[] = [];
      for (let at = 0; at < 5; at += 1) {
        app.clock.advance(minuteMs);
        done.push(pick(names));
        await steps[done.at(-1) as keyof typeof steps](pick(place.students));
      }
      // An evaluation that an event requests in the service.
      const { id } = pick(place.students);
      if (part % 2 === 1) await recomputeStudents(services, place.organizationId, [id], 'grade_changed');
      const { kept, made } = await bothWays(place);
      assert.equal(kept, made, done.join(', '));
    }
  });
}

test.run();
