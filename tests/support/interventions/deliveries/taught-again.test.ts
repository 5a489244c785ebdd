// A missed goal can be met when the step is taught again, with the recommended sessions.
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { blueprintSeed, shippedFile } from '#teaching/lesson-blueprints/shipped/install.ts';
import { signIn } from '../../../harness/factories.ts';
import { buildBlueprint, itemOf } from '../../../teaching/lesson-blueprints/rows.ts';
import { allRight, type Pupil, usePlans } from '../workflow/draft-bodies.ts';

const plans = usePlans(test);
const { app } = plans.shell;
const { owner } = app.database;
const days = ['2026-01-12', '2026-01-13', '2026-01-14', '2026-01-15'];
const plan = { bundle_id: 'LSA-MONITOR-01' };

interface Item {
  readonly itemRef: string;
  readonly options: readonly string[];
  readonly correctOptionIndex: number;
}
interface Chosen {
  readonly blueprintId: string;
  readonly deliveryMode: string;
}

let pupil: Pupil;
let assignmentId: string;

test.before.each(async () => {
  pupil = await plans.pupil({ ...allRight, LK_SOUND: 'CCCCUU' });
  assignmentId = await plans.given(pupil, plan);
});

/** One session on a day, whose first `right` items are answered correctly and the others wrongly. */
async function teach(day: string, { blueprintId, deliveryMode }: Chosen, right: number): Promise<void> {
  const teacher = { token: await signIn(app, pupil.teacher) };
  const made = await app.post<{ sessionId: string; items: Item[] }>(
    '/api/sessions/from-blueprint',
    { classId: pupil.classRow.id, recipientStudentIds: [pupil.id], blueprintId, deliveryMode },
    teacher,
  );
  const session = `/api/sessions/${made.body.sessionId}`;
  await app.post(`${session}/accept`, {}, teacher);
  await app.post(`${session}/distribute-online`, {}, teacher);
  const responses = made.body.items.map(({ itemRef, options, correctOptionIndex }, at) => ({
    clientResponseId: randomUUID(),
    itemRef,
    selectedOptionIndex: at < right ? correctOptionIndex : (correctOptionIndex + 1) % options.length,
  }));
  if (responses.length > 0) {
    const answered = await app.post(`${session}/responses`, { responses }, { token: await signIn(app, pupil) });
    assert.equal(answered.body, { accepted: responses.length, duplicates: 0 });
  }
  const delivery = { deliveredOn: day, presentStudentIds: [pupil.id] };
  assert.is((await app.patch(`${session}/edit`, { delivery }, teacher)).status, 200);
}

async function recommended(): Promise<Chosen> {
  const { body } = await app.get<{ items: Chosen[] }>(
    `/api/sessions/catalog/recommended?classId=${pupil.classRow.id}`,
    { token: await signIn(app, pupil.teacher) },
  );
  const [first] = body.items;
  if (!first) throw new Error('nothing is recommended');
  return first;
}

const at = (day: string) => app.clock.set(`${day}T08:00:00.000Z`);

async function goal() {
  const { state, completionResult, steps } = await plans.row(pupil, assignmentId);
  const { scored, correct, rate, goalState } = steps[1] ?? {};
  return { state, completionResult, scored, correct, rate, goalState };
}

test('four of six at first, all six the next time: the goal is met with the one session that the batch has for the step', async () => {
  await inContext(owner, 'SUPER', (trx) => blueprintSeed(shippedFile)(trx, app.clock.now()));
  const taught = new Set<string>();
  for (const [no, day] of days.entries()) {
    at(day);
    const chosen = await recommended();
    taught.add(chosen.blueprintId);
    await teach(day, chosen, no === 2 ? 4 : 6);
  }
  assert.is(taught.size, 2, 'one session for each of the two steps');
  assert.equal(await goal(), {
    ...{ state: 'completed', completionResult: 'goals_met', goalState: 'met' },
    ...{ scored: 12, correct: 10, rate: 0.8333 },
  });
});

test('sessions that name their items alike ask different questions', async () => {
  const head = { ...plan, anchorSkillGroup: 'LK_SOUNDS', targetSubSkillCodes: ['LK_SOUND'] };
  const check = { ...head, stepNo: 2, sessionRole: 'PROGRESS_CHECK' };
  const others = [1, 2, 3, 4, 5, 6].map((no) => ({ ...itemOf(`item-${no}`, 'LK_SOUND'), promptAr: `سُؤَالٌ آخَرُ ${no}` }));
  const practice = await buildBlueprint(owner, { ...head, stepNo: 1, sessionRole: 'GUIDED_PRACTICE' });
  const taught = [practice, practice, await buildBlueprint(owner, check)];
  taught.push(await buildBlueprint(owner, { ...check, items: others }));
  for (const [no, day] of days.entries()) {
    at(day);
    await teach(day, { blueprintId: taught[no] ?? '', deliveryMode: 'blended' }, no === 2 ? 4 : 6);
  }
  const { scored, correct, goalState } = await goal();
  assert.equal([scored, correct, goalState], [12, 10, 'met']);
});

test('a plan of before without an anchor role: its goal is judged on the targets of its sessions', async () => {
  await plans.change(pupil, assignmentId, { anchorRole: null });
  const head = { ...plan, anchorSkillGroup: 'LK_SOUNDS', targetSubSkillCodes: ['LK_SOUND'] };
  const check = { ...head, stepNo: 2, sessionRole: 'PROGRESS_CHECK' };
  const foreign = [1, 2, 3, 4, 5, 6].map((no) => ({ ...itemOf(`other-${no}`, 'DEC_WORD'), promptAr: `سُؤَالٌ ${no}` }));
  const practice = await buildBlueprint(owner, { ...head, stepNo: 1, sessionRole: 'GUIDED_PRACTICE' });
  const taught = [practice, practice, await buildBlueprint(owner, { ...check, items: foreign })];
  taught.push(await buildBlueprint(owner, check));
  for (const [no, day] of days.entries()) {
    at(day);
    await teach(day, { blueprintId: taught[no] ?? '', deliveryMode: 'blended' }, 6);
  }
  assert.equal(await goal(), {
    ...{ state: 'completed', completionResult: 'goals_met', goalState: 'met' },
    ...{ scored: 6, correct: 6, rate: 1 },
  });
});

test.run();
