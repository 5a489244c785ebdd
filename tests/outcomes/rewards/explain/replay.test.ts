// timeout: 120s
// Explanations depend on the rules of the time, the ledger before, and rows that may have been altered.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { type PossibleGrowth, recordMastery } from '#outcomes/rewards/ledger/record.ts';
import { edited } from '../../../backoffice/workbench/impact/world.ts';
import { putInForce } from '../../../backoffice/workbench/next-version.ts';
import type { UserRow } from '../../../harness/factories.ts';
import { oneNeed } from '../../../support/rti/rti-world.ts';
import { useGrown } from '../grown.ts';
import { explainsOf } from './explained.ts';

const test = suite('replayed growth');
const world = useGrown(test);
const { app } = world;
const { owner } = app.database;
const explain = explainsOf(app);

const onlyWords = { DEC_WORD: 'CCCCCCCC' };

/** A sub-skill and its domain have risen. */
async function risen(): Promise<UserRow> {
  const student = await world.student(await world.room());
  await world.grow([student], oneNeed);
  world.days(20);
  await world.grow([student], onlyWords);
  return student;
}

/** Past the triggers. */
const past = (table: string, where: object, columns: object): Promise<void> =>
  owner.transaction(async (trx) => {
    await trx.raw('alter table ?? disable trigger user', [table]);
    await trx(table).where(where).update(columns);
    await trx.raw('alter table ?? enable trigger user', [table]);
  });

test('the event at which a session is full, and the one after it', async () => {
  const student = await world.student(await world.room());
  const { organizationId, id: studentId } = student;
  const of = { organizationId: String(organizationId), now: app.clock.now() };
  const goals = Array.from(
    { length: 15 },
    (_, at): PossibleGrowth => ({
      ...{ sourceKind: 'bundle_step_goal_met', naturalKey: `a:${at}`, sourceType: 'bundle_assignment', sourceId: 'a' },
      ...{ schoolYear: '2025-2026', subSkillCode: null, domainCode: null, reached: null, sessionKey: 'live:x' },
      occurredAt: of.now.toISOString(),
    }),
  );
  await inContext(world.services.db, { organizationId: of.organizationId }, (trx) =>
    recordMastery(trx, world.services, of, [{ studentId, growths: goals }]),
  );
  const events = await world.events(student);
  const [cut, none] = [await explain.mastery(events[13]?.id), await explain.mastery(events[14]?.id)];
  assert.equal(cut.award.xp, { ofKind: 15, sessionCap: 200, creditedBefore: 195, credited: 5 });
  assert.equal(
    cut.booked.xp.map(({ kind, amount, cappedFrom }) => [kind, amount, cappedFrom]),
    [['credit', 5, 15]],
  );
  assert.equal(none.award.xp, { ofKind: 15, sessionCap: 200, creditedBefore: 200, credited: 0 });
  assert.equal(none.award.celebrations, [{ kind: 'avatar_tier', value: 3 }]);
  assert.equal(
    none.checks.map(({ outcome }) => outcome),
    ['not_halted', 'none', 'new', 'same'],
    'of a plan that is not there nothing is reported again',
  );
});

test('a row that was changed behind our back does not match', async () => {
  const [event] = await world.events(await risen());
  const masteryEventId = Number(event?.id);
  await past('mastery_event', { id: masteryEventId }, { reached: 'adequate' });
  const { checks, matchesStored } = await explain.mastery(masteryEventId);
  assert.equal([checks[1], matchesStored], [{ check: 'growth', outcome: 'other' }, false]);
  await past('xp_transaction', { masteryEventId, kind: 'credit' }, { amount: 25 });
  assert.equal((await explain.mastery(masteryEventId)).checks.at(-1), { check: 'award', outcome: 'other' });
});

test('a sub-skill that is undecided by now had risen all the same', async () => {
  const student = await risen();
  const before = await explain.all(student);
  world.days(1);
  const skill = { studentId: student.id, subSkillCode: 'DEC_WORD' };
  const {
    id: _id,
    facts,
    codeCounts,
    ...row
  } = await owner('sse_skill_snapshot').where(skill).orderBy('id', 'desc').first();
  await world.measure([student], { LK_FORM: 'CCCC' });
  const { id: runId } = await owner('sse_run').where({ studentId: student.id }).orderBy('seq', 'desc').first('id');
  await owner('sse_skill_snapshot').insert({
    ...{ ...row, runId, facts: JSON.stringify(facts), codeCounts: JSON.stringify(codeCounts) },
    ...{ outcome: 'do_not_decide_yet', pacDecision: 'do_not_decide_yet', decidedAt: app.clock.now() },
    ...{ status: null, confidence: null, decisionStrength: null, nextDataAction: 'collect_more', itemsNeeded: 3 },
  });
  assert.equal(await explain.all(student), before);
});

test('rules that came later change no explanation, and what follows names them', async () => {
  const student = await risen();
  const before = await explain.all(student);
  const dearer = edited('gamification/rewards', (document) => {
    document.xp.skill_status_transition = 35;
    document.badges.reverse();
  });
  await putInForce(app, dearer);
  assert.equal(await explain.all(student), before);
  for (const letters of [onlyWords, onlyWords]) {
    world.days(20);
    await world.grow([student], letters);
  }
  const last = (await explain.all(student)).findLast(({ result }) => result.sourceKind === 'skill_status_transition');
  assert.equal([last?.ruleVersions, last?.award.xp.credited], [{ 'gamification/rewards': 2 }, 35]);
});

test.run();
