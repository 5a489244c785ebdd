// timeout: 240s
// A term of random facts, calendars, rescinds and rule versions through the database and over HTTP, against the same second
// reading of the contract; several workers are notified of each fact.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { masterySourceKinds } from '#outcomes/rewards/engine/enums.ts';
import { type PossibleGrowth, recordMastery } from '#outcomes/rewards/ledger/record.ts';
import { buildUser, signIn, type UserRow } from '../../../harness/factories.ts';
import type { Room } from '../../../support/interventions/classroom.ts';
import { modelSteps } from '../engine/model.ts';
import {
  type ModelCalendar,
  type ModelFact,
  modelEvents,
  riyadhDate,
  schoolDaysBetween,
} from '../engine/year-model.ts';
import { useGrown } from '../grown.ts';

const world = useGrown(test);
const { owner } = world.app.database;
type Json = Record<string, unknown>;
const hourMs = 3_600_000;
const start = Date.parse('2025-10-05T08:00:00.000Z');

const fact = fc.record({
  does: fc.constant('grow' as const),
  kind: fc.constantFrom(...masterySourceKinds),
  key: fc.integer({ min: 1, max: 12 }),
  session: fc.integer({ min: 1, max: 4 }),
});
const rescind = fc.record({ does: fc.constant('rescind' as const), place: fc.nat(14) });
const days = fc.record({
  does: fc.constant('calendar' as const),
  weekend: fc.constantFrom([5, 6], [6, 7], [7]),
  holidays: fc.uniqueArray(
    fc.nat(90).map((day) => riyadhDate(start + day * 24 * hourMs)),
    { maxLength: 12 },
  ),
});
const step = fc.record({
  hoursLater: fc.constantFrom(0, 1, 5, 24, 24, 24, 48, 264, 360),
  what: fc.oneof({ weight: 8, arbitrary: fact }, { weight: 1, arbitrary: rescind }, { weight: 1, arbitrary: days }),
});
const term = fc.array(step, { minLength: 25, maxLength: 40, size: 'max' });

interface EnrollmentContext {
  readonly room: Room;
  readonly student: UserRow;
  readonly adminRow: UserRow;
}

async function newPlace(): Promise<EnrollmentContext> {
  const room = await world.room();
  const student = await world.student(room);
  return { room, student, adminRow: await buildUser(owner, 'ADMIN', { organizationId: room.organizationId }) };
}

/** By three workers at once. */
async function grow(
  { room: { organizationId }, student }: EnrollmentContext,
  { kind, naturalKey, sessionKey }: ModelFact,
) {
  const now = world.app.clock.now();
  const growth: PossibleGrowth = {
    ...{ sourceKind: kind, naturalKey, sessionKey, sourceType: 'bundle_assignment', sourceId: 'a' },
    ...{ schoolYear: '2025-2026', subSkillCode: null, domainCode: null, reached: null, occurredAt: now.toISOString() },
  };
  const record = () =>
    inContext(world.services.db, { organizationId }, (trx) =>
      recordMastery(trx, world.services, { organizationId, now }, [{ studentId: student.id, growths: [growth] }]),
    );
  await Promise.all([record(), record(), record()]);
}

/** Rescinds the badge at an index of the ledger, if any, and returns its code. */
async function takeBack({ room, student }: EnrollmentContext, place: number): Promise<string | undefined> {
  const badge = (await world.rows('student_badge', student))[place];
  if (!badge) return undefined;
  const body = { overrideCode: 'Gam_Award_Invalid_05' };
  const token = await signIn(world.app, room.teacher);
  const { status } = await world.app.post(`/api/teachers/badges/${badge.id}/rescind`, body, { token });
  assert.ok(status === 200 || status === 409, String(status));
  return status === 200 ? String(badge.code) : undefined;
}

async function compare(
  place: EnrollmentContext,
  facts: readonly ModelFact[],
  taken: readonly string[],
  calendar: ModelCalendar,
) {
  const { student, adminRow } = place;
  const events = modelEvents(facts);
  const steps = modelSteps(events);
  const last = steps.at(-1);
  const token = await signIn(world.app, adminRow);
  const { body } = await world.app.get<Json>(`/api/students/${student.id}/gamification/profile`, { token });
  const badges = steps.flatMap(({ badge }) => badge ?? []);
  const none = { current: 0, longest: 0, lastTickDate: null };
  const run = last?.streak ?? none;
  const today = riyadhDate(world.app.clock.now().getTime());
  const isOver = run.lastTickDate !== null && schoolDaysBetween(calendar, run.lastTickDate, today) > 7;
  assert.equal(
    [body.xpBalance, body.avatarTier, body.streak],
    [(last?.xpBalance ?? 0) - 10 * taken.length, last?.avatarTier ?? 1, isOver ? { ...run, current: 0 } : run],
  );
  assert.equal(
    (body.badges as Json[]).map(({ code, status }) => [code, status]),
    badges.map((code) => [code, taken.includes(code) ? 'rescinded' : 'active']),
  );
  const replayed = { studentId: student.id, asOf: world.app.clock.now().toISOString() };
  const replay = await world.app.post<Json>('/api/admin/gamification/replay', replayed, { token });
  assert.is(replay.body.hasDrift, false);
  assert.equal(
    (await world.events(student)).map(({ localDate, missedSchoolDays }) => [localDate, missedSchoolDays]),
    events.map(({ localDate, missedSchoolDays }) => [localDate, missedSchoolDays]),
  );
  assert.equal(
    (await owner('reward_celebration').where({ studentId: student.id }))
      .map(({ kind, value }) => `${kind} ${value}`)
      .sort(),
    steps.flatMap(({ celebrations }) => celebrations).sort(),
  );
}

test('random terms: profile, ledgers and replay follow the contract', async () => {
  await fc.assert(
    fc.asyncProperty(term, async (steps) => {
      world.app.clock.set(new Date(start));
      const place = await newPlace();
      const facts: ModelFact[] = [];
      const taken: string[] = [];
      let calendar: ModelCalendar = { weekend: [5, 6], holidays: [] };
      for (const { hoursLater, what } of steps) {
        world.app.clock.advance(hoursLater * hourMs);
        if (what.does === 'calendar') {
          calendar = { weekend: what.weekend, holidays: what.holidays };
          const token = await signIn(world.app, place.adminRow);
          const path = `/api/organizations/${place.room.organizationId}`;
          assert.is((await world.app.patch(path, calendar, { token })).status, 200);
        } else if (what.does === 'rescind') {
          const code = await takeBack(place, what.place);
          if (code !== undefined) taken.push(code);
        } else {
          const { kind, key, session } = what;
          const atMs = world.app.clock.now().getTime();
          facts.push({ kind, naturalKey: `a:${key}`, sessionKey: `live:${session}`, atMs, calendar });
          await grow(place, facts.at(-1) as ModelFact);
        }
      }
      await compare(place, facts, taken, calendar);
    }),
    { numRuns: 5, seed: 62, endOnFailure: true },
  );
});

test.run();
