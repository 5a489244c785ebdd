// Counts of answers by need of support: what is counted, the bounds of the period, and a constant number of statements.
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ItemBanks } from '#assessment/content/index.ts';
import { inContext } from '#core/platform/db.ts';
import { supportCounts, windowStart } from '#support/interventions/support-counts/counts.ts';
import { practisingChild, showing } from '../../../assessment/measurement/practice/practising.ts';
import { answersOf, buildDiagnostic, itemIdOf, testBanks } from '../../../assessment/skill-status/evidence.ts';
import { buildClass, buildStudent, type UserRow } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { countRoundTrips } from '../../../harness/statements/round-trips.ts';
import { buildWorld } from '../../../harness/world.ts';
import { buildLesson } from '../../../teaching/lessons/rows.ts';
import { buildLive } from '../../../teaching/live-lessons/rows.ts';

const app = useApp(test, { rules: true });
const { owner } = app.database;
const trips = countRoundTrips(test, app.database.appUrl, /^insert into rate_limit as w /);

const asOf = new Date('2026-03-15T08:00:00.000Z');
const since = windowStart(asOf, 60);
const at = (time: number) => new Date(time).toISOString();

async function countsOf(students: readonly UserRow[], itemBanks: ItemBanks = testBanks(), to = asOf) {
  const organizationId = students[0]?.organizationId ?? '';
  const named = students.map(({ id }) => ({ studentId: id }));
  const from = windowStart(to, 60);
  return inContext(app.services.db, { organizationId }, (trx) =>
    supportCounts(trx, organizationId, named, from, to, { itemBanks, capabilities: app.services.capabilities }),
  );
}

/** `{DEC_WORD: {mcq_text: [1, 0, 2]}}`: Level_1, Level_2, Level_3. */
const plain = (counts: Awaited<ReturnType<typeof countsOf>>, { id }: UserRow) =>
  Object.fromEntries(
    [...(counts.get(id) ?? [])].map(([skill, tasks]) => [
      skill,
      Object.fromEntries(
        [...tasks].map(([task, { Level_1, Level_2, Level_3 }]) => [task, [Level_1, Level_2, Level_3]]),
      ),
    ]),
  );

test('a finished diagnostic: right, not right and not answered, by sub-skill', async () => {
  const student = await buildStudent(owner);
  const answers = answersOf({ DEC_WORD: 'CLUTN', LIS_LITERAL: 'NC' });
  await buildDiagnostic(owner, student, answers, { finishedAt: at(asOf.getTime()) });
  assert.equal(plain(await countsOf([student]), student), {
    DEC_WORD: { mcq_text: [2, 0, 2] },
    LIS_LITERAL: { mcq_text: [1, 0, 0] },
  });
});

test('the window is open at its start and closed at its end', async () => {
  const student = await buildStudent(owner);
  const answered = async (time: number, skill: string, item: number) =>
    buildDiagnostic(owner, student, answersOf({ [skill]: 'C' }, item), { finishedAt: at(time) });
  await answered(since.getTime(), 'DEC_WORD', 1);
  await answered(since.getTime() + 1, 'DEC_WORD', 2);
  await answered(asOf.getTime(), 'LK_SOUND', 1);
  await answered(asOf.getTime() + 1, 'LK_SOUND', 2);
  assert.equal(plain(await countsOf([student]), student), {
    DEC_WORD: { mcq_text: [1, 0, 0] },
    LK_SOUND: { mcq_text: [1, 0, 0] },
  });
});

test('an item that is withdrawn by then does not count, and one that is withdrawn later does', async () => {
  const student = await buildStudent(owner);
  await buildDiagnostic(owner, student, answersOf({ DEC_WORD: 'CC' }), { finishedAt: at(asOf.getTime()) });
  const withdrawn = (time: number) => testBanks(new Map([[itemIdOf('DEC_WORD', 1), at(time)]]));
  const { DEC_WORD: by } = plain(await countsOf([student], withdrawn(asOf.getTime())), student);
  assert.equal(by, { mcq_text: [1, 0, 0] });
  const { DEC_WORD: later } = plain(await countsOf([student], withdrawn(asOf.getTime() + 1)), student);
  assert.equal(later, { mcq_text: [2, 0, 0] });
});

test('sessions of assignments and live sessions: no withdrawn item counts, an item of no bank does', async () => {
  const classRow = await buildClass(owner);
  const student = await buildStudent(owner, classRow);
  const { organizationId } = classRow;
  const place = { organizationId, classId: classRow.id, createdBy: 1, studentIds: [student.id] };
  const sessionId = await buildLesson(owner, { ...place, state: 'distributed' });
  const live = await buildLive(owner, classRow, { state: 'live', joined: [student.id] });
  const [gone, kept] = ['public-DEC_WORD-1', 'public-DEC_WORD-2'];
  for (const itemRef of [gone, kept, 'item-1']) {
    const answer = {
      ...{ organizationId, schoolYear: '2025-2026', studentId: student.id, itemRef, subSkillCode: 'DEC_WORD' },
      ...{ taskType: 'mcq_text', clientResponseId: randomUUID(), selectedOptionIndex: 0, correct: true },
    };
    const given = { sessionId, supportUsed: false, way: 'online', sentBy: student.id, receivedAt: asOf };
    await owner('session_response').insert({ ...answer, ...given });
    await owner('live_response').insert({ ...answer, liveSessionId: live.id, source: 'current', answeredAt: asOf });
  }
  const withdrawn = testBanks(new Map([[itemIdOf('DEC_WORD', 1), at(asOf.getTime())]]));
  assert.equal(plain(await countsOf([student]), student), { DEC_WORD: { mcq_text: [6, 0, 0] } });
  assert.equal(plain(await countsOf([student], withdrawn), student), { DEC_WORD: { mcq_text: [4, 0, 0] } });
});

test('an expired diagnostic does not count', async () => {
  const student = await buildStudent(owner);
  const id = await buildDiagnostic(owner, student, answersOf({ DEC_WORD: 'CC' }), { finishedAt: at(asOf.getTime()) });
  await owner('diagnostic_session').where({ id }).update({ status: 'EXPIRED', finishedAt: null, finishReason: null });
  assert.is((await countsOf([student])).size, 0);
});

test('practice: what is answered with a hint is right with support, and the whole is what was answered', async () => {
  const world = await buildWorld(app);
  const kid = await practisingChild(app, world.own);
  const finished = await kid.finishDiagnostic();
  const before = plain(await countsOf([kid.user], app.services.itemBanks, app.clock.now()), kid.user);
  await kid.seed(finished);
  const served = await kid.workOff(showing('dot_confusion'));
  const after = plain(await countsOf([kid.user], app.services.itemBanks, app.clock.now()), kid.user);
  const total = (counts: typeof before, level: number) =>
    Object.values(counts)
      .flatMap((tasks) => Object.values(tasks))
      .reduce((sum, levels) => sum + (levels[level] ?? 0), 0);
  const rows = await owner('practice_response as r')
    .join('practice_served_item as i', (on) => on.on('i.queueId', 'r.queueId').andOn('i.seq', 'r.seq'))
    .select('r.correct', { hint: 'i.hintPatternKey' });
  const rightWith = rows.filter(({ correct, hint }) => correct && hint !== null).length;
  const rightAlone = rows.filter(({ correct, hint }) => correct && hint === null).length;
  assert.ok(served.some(({ support }) => support !== null));
  assert.equal(
    [0, 1, 2].map((level) => total(after, level) - total(before, level)),
    [rightAlone, rightWith, rows.length - rightWith - rightAlone],
  );
  assert.is(total(before, 0) + total(before, 1), 0, 'the diagnostic was all wrong');
});

test('sixty students cost as many statements as one', async () => {
  const classRow = await buildClass(owner);
  const students: UserRow[] = [];
  for (let made = 0; made < 60; made += 1) students.push(await buildStudent(owner, classRow));
  for (const student of students) {
    await buildDiagnostic(owner, student, answersOf({ DEC_WORD: 'CU' }), { finishedAt: at(asOf.getTime()) });
  }
  const costs: number[] = [];
  for (const some of [students.slice(0, 1), students]) {
    trips.restart();
    const counts = await countsOf(some);
    assert.is(counts.size, some.length);
    costs.push(trips.since().count);
  }
  assert.is(costs[0], costs[1]);
});

test.run();
