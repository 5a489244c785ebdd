// timeout: 240s
// Stored alerts against a model of the contract's tables: random days of random students, with actions over HTTP between them
// and an advancing clock.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { seededNumbers } from '#core/platform/pure/random.ts';
import { closeByDecision } from '#support/rti/alerts/close.ts';
import type { AlertFacts } from '#support/rti/engine/alerts/alert.ts';
import { runMachine, writeLog, writeTransitions } from '#support/rti/evaluation/alerts.ts';
import { rtiSituationsOf } from '#support/rti/situations/situations.ts';
import type { UserRow } from '../../../harness/factories.ts';
import type { Room } from '../../interventions/classroom.ts';
import { allRight, useRtiRoom } from '../rti-world.ts';
import { AlertModel, type Facts } from './model.ts';

const world = useRtiRoom(test);
const { owner } = world.app.database;
const { services } = world;

/** Seeded, so that failures can be reproduced. */
function randomFrom(seed: number) {
  const next = seededNumbers(seed);
  return { share: next, one: <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T };
}
type Random = ReturnType<typeof randomFrom>;

const skills = ['DEC_WORD', 'LK_SOUND', 'LIS_LITERAL'];

const randomFacts = ({ share, one }: Random): Facts => ({
  halt: share() < 0.1,
  acuteSkill: share() < 0.08 ? one(skills) : null,
  tier: one([1, 1, 2, 2, 3]),
  weeksInTier: one([2, 5, 6, 9]),
  reviewWeeks: one([2, 5, 6, 7, 8]),
  deliveredWeeks: one([0, 3, 4]),
  gate: one(['pass', 'pass', 'fail', 'not_applicable']),
  progress: one(['below', 'below', 'mixed', 'above', 'unknown']),
  broadCount: one([0, 0, 0, 1]),
  strongCount: one([0, 1, 2]),
  severeTile: share() < 0.1,
  skillHits: skills.filter(() => share() < 0.3),
});

let snapshotId = 0;
const alertFacts = ({ halt, acuteSkill, ...facts }: Facts): AlertFacts =>
  ({
    ...{ dndy: halt, dataIncomplete: false, acuteCbm: null },
    acuteDrop: acuteSkill === null ? null : { subSkillCode: acuteSkill, snapshotId: ++snapshotId },
    ...facts,
  }) as AlertFacts;

async function evaluate({ organizationId, id: studentId }: UserRow, facts: Facts): Promise<void> {
  const now = world.app.clock.now();
  await inContext(services.db, { organizationId: organizationId ?? '' }, async (trx) => {
    const where = { organizationId: organizationId ?? '', studentIds: [studentId], now };
    const { situations, rules } = await rtiSituationsOf(trx, services, where);
    const situation = situations.get(studentId);
    assert.ok(situation);
    const asked = runMachine({ ...situation, alertFacts: alertFacts(facts) }, rules, where);
    await writeLog(trx, [asked], new Map([[studentId, await writeTransitions(trx, asked, new Set())]]));
  });
}

async function decide({ organizationId, id: studentId }: UserRow, decision: 'maintain' | 'defer'): Promise<void> {
  const now = world.app.clock.now();
  const today = now.toISOString().slice(0, 10);
  await inContext(services.db, { organizationId: organizationId ?? '' }, (trx) =>
    closeByDecision(trx, {
      ...{ organizationId: organizationId ?? '', studentId, decision, packet: null, moved: false, now, today },
    }),
  );
}

/** Returns the issue of the refusal, or ok. */
async function asked(room: Room, alertId: string, what: 'acknowledge' | 'dismiss'): Promise<string> {
  const body = what === 'dismiss' ? { overrideCode: 'Alr_Already_Addressed_06' } : {};
  const answer = await world.call(room, `/api/rti/alerts/${alertId}/${what}`, body);
  return answer.status === 200 ? 'ok' : (answer.body.details[0]?.issue ?? '');
}

const day = (date: Date): number => Math.floor(date.getTime() / 86_400_000);
const dateOf = (at: number): string => new Date(at * 86_400_000).toISOString().slice(0, 10);

async function stored({ id: studentId }: UserRow) {
  const rows = await owner('rti_alert').where({ studentId });
  return rows.map(({ kind, subSkillCode, state, expiresOn, closedOn, closeReason, closingDecision }) =>
    JSON.stringify({ kind, subSkillCode, state, expiresOn, closedOn, closeReason, closingDecision }),
  );
}

const shown = ({ alerts }: AlertModel): string[] =>
  alerts.map(({ kind, skill, state, expiresOn, closedOn, reason, decision }) =>
    JSON.stringify({
      ...{ kind, subSkillCode: skill, state, expiresOn: expiresOn && dateOf(expiresOn) },
      ...{ closedOn: closedOn && dateOf(closedOn), closeReason: reason, closingDecision: decision },
    }),
  );

/** The days of students 1 and 4 open fewer than three alerts. */
const students = [2, 3, 5, 6, 7];
const steps = 40;

for (const seed of students) {
  test(`random days of student ${seed} are stored like the model of the contract`, async () => {
    const random = randomFrom(seed * 7919);
    const room = await world.room();
    const student = await world.student(room);
    await world.measure([student], allRight);
    const model = new AlertModel();
    let facts: Facts | undefined;
    for (let step = 0; step < steps; step++) {
      if (random.share() < 0.7) world.days(random.one([1, 4, 9]));
      const today = day(world.app.clock.now());
      const open = model.open;
      const dice = random.share();
      if (dice < 0.6 || model.alerts.length === 0) {
        facts = facts && random.share() < 0.6 ? { ...facts, acuteSkill: null, halt: false } : randomFacts(random);
        model.evaluate(facts, today);
        await evaluate(student, facts);
      } else if (dice < 0.75) {
        const decision = random.one(['maintain', 'defer'] as const);
        model.decide(decision, today);
        await decide(student, decision);
      } else if (open) {
        const { id: openId } = await owner('rti_alert').where({ studentId: student.id, state: 'open' }).first();
        const what = random.one(['acknowledge', 'dismiss'] as const);
        const expected = what === 'dismiss' ? model.dismiss(open, today) : model.acknowledge(open);
        assert.is(await asked(room, openId, what), expected, `step ${step}: ${what} of ${open.kind}`);
      }
      assert.equal((await stored(student)).sort(), shown(model).sort(), `after step ${step}`);
    }
    assert.ok(model.alerts.length >= 3, 'something has happened');
  });
}

test.run();
