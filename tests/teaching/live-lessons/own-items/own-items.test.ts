// Own items of a student over HTTP: served in order, independent of the lock, until they are answered or stopped.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { answersOf, buildDiagnostic } from '../../../assessment/skill-status/evidence.ts';
import { useShell } from '../../../assessment/skill-status/shell.ts';
import { buildTeacher } from '../../../harness/factories.ts';
import { answerTo, itemRefs, type Json, lessonsOf, monday, outcomeOf } from '../lesson.ts';

const shell = useShell(test, { settings: { RATE_LIMIT_USER_PER_MINUTE: '1000000' } });
const { app } = shell;
const { lesson } = lessonsOf(app);
test.before.each(() => app.clock.set(monday));

const refsOf = (items: unknown) => (items as Json[]).map(({ itemRef }) => itemRef);
const runs = (rows: readonly Json[]) => rows.map(({ studentId, state, itemRefs: refs }) => [studentId, state, refs]);

test('unanswered items of the playlist are served in order, locked or not; then the run is finished', async () => {
  const at = await lesson();
  const [ada, ben] = at.students as [typeof at.teacher, typeof at.teacher];
  const own = async (who = ada) => ((await at.look('/poll', who)).body.ismItem as Json | null)?.itemRef ?? null;
  await at.answer(ada, answerTo('item-1'));
  const reply = await at.teach('/ism-run', { studentId: ada.id });
  assert.equal([reply.status, reply.body.studentId, reply.body.state], [201, ada.id, 'running']);
  assert.equal(refsOf(reply.body.items), itemRefs.slice(1));
  assert.equal([await own(), await own(ben)], ['item-2', null]);
  await at.control('lock');
  assert.is((await at.answer(ada, answerTo('item-3'))).status, 201, 'any of them');
  assert.is(await own(), 'item-2');
  assert.is((await at.answer(ada, answerTo('item-2'))).status, 201);
  assert.is(await own(), 'item-4');
  assert.equal(outcomeOf(await at.answer(ben, answerTo('item-4'))), [
    409,
    'CONFLICT',
    'responses.0.itemRef not_current',
  ]);
  await at.answer(ada, ...['item-4', 'item-5', 'item-6'].map((itemRef) => answerTo(itemRef)));
  assert.is(await own(), null);
  assert.equal(runs(await at.rows('live_own_run', 'startedAt')), [[ada.id, 'finished', itemRefs.slice(1)]]);
  const nothing = await at.teach('/ism-run', { studentId: ada.id });
  assert.equal([nothing.status, nothing.body], [200, { outcome: 'no_eligible_item', served: null }]);
  const { body } = await at.look('/poll?cursor=0', ada);
  const changes = (body.events as Json[]).filter(({ type }) => type === 'ism_changed');
  assert.equal(
    changes.map(({ data }) => data),
    [{}, {}],
    'started and finished, without data',
  );
});

test('one run per student: a new run stops the previous one, the end stops all; the current item may be an own item', async () => {
  const at = await lesson();
  const [ada, ben] = at.students as [typeof at.teacher, typeof at.teacher];
  await at.teach('/ism-run', { studentId: ada.id });
  const named = await at.teach('/ism-run', { studentId: ada.id, itemRefs: ['item-5', 'item-1'] });
  assert.equal(refsOf(named.body.items), ['item-5', 'item-1'], 'as they were named');
  await at.teach('/ism-run', { studentId: ben.id });
  await at.answer(ada, answerTo('item-1'));
  const [response] = await at.rows('live_response', 'ledgerNo');
  assert.is(response?.source, 'ism');
  await at.control('end');
  const states = runs(await at.rows('live_own_run', 'startedAt')).map(([id, state]) => `${id} ${state}`);
  assert.equal(states.sort(), [`${ada.id} stopped`, `${ada.id} stopped`, `${ben.id} stopped`].sort());
  const events = (await at.rows('live_event', 'seq')).filter(({ type }) => type === 'ism_changed');
  assert.is(events.length, 6, 'three started, three stopped');
  assert.equal(outcomeOf(await at.teach('/ism-run', { studentId: ada.id })), [
    409,
    'CONFLICT',
    'state invalid_transition',
  ]);
});

test('items of the playlist, once each, while the session is live', async () => {
  const at = await lesson({ students: 1 });
  const [ada] = at.students as [typeof at.teacher];
  const refused = async (...refs: readonly string[]) =>
    outcomeOf(await at.teach('/ism-run', { studentId: ada.id, itemRefs: refs })).slice(0, 3);
  assert.equal(await refused('item-1', 'item-9'), [422, 'VALIDATION_ERROR', 'itemRefs.1 unknown_item']);
  assert.equal((await refused('item-1', 'item-1')).slice(0, 2), [422, 'VALIDATION_ERROR']);
  assert.equal((await refused()).slice(0, 2), [422, 'VALIDATION_ERROR']);
  assert.equal(outcomeOf(await at.teach('/ism-run', { studentId: 999_999_999 })), [404, 'NOT_FOUND']);
  await at.control('pause');
  assert.equal(await refused('item-1'), [409, 'CONFLICT', 'state invalid_transition']);
  assert.equal(await at.rows('live_own_run', 'startedAt'), []);
});

test('a halted student gets the order of the playlist', async () => {
  const student = await shell.student();
  const teacher = await buildTeacher(app.database.owner, student.classRow);
  await buildDiagnostic(app.database.owner, student, answersOf({ LK_FORM: 'CCC' }), {
    finishedAt: monday,
    announced: false,
  });
  await shell.recompute(student);
  const at = await lesson({ school: { classRow: student.classRow, teacher, students: [student] } });
  const { body } = await at.teach('/ism-run', { studentId: student.id, itemRefs: ['item-5', 'item-2'] });
  assert.equal(refsOf(body.items), ['item-2', 'item-5']);
});

test.run();
