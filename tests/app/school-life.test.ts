// timeout: 300s
// A school year and the start of the next one over HTTP: a child is measured, evidence of the wrong child is taken back and taken
// again, two accounts of one child become one, the school rolls over, and everything stored before comes out the same.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { replayModel } from '#backoffice/workbench/replays/model.ts';
import { runJob } from '#core/long-jobs/runner.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { child, rightIndex } from '../assessment/measurement/diagnostics/child.ts';
import { detailOf, teacher, timeUp } from '../assessment/measurement/fluency/teacher.ts';
import { orderNights } from '../backoffice/workbench/replays/world.ts';
import { signIn, type UserRow } from '../harness/factories.ts';
import { useApp } from '../harness/http.ts';
import { buildWorld, type Person, type World } from '../harness/world.ts';

const test = suite('the life of a school');
const app = useApp(test, { rules: true });
const { owner } = app.database;
let world: World;

test.before(async () => {
  app.clock.set('2025-10-06T06:00:00.000Z');
  world = await buildWorld(app);
});

const asAdmin = async () => ({ token: await signIn(app, world.own.people.ADMIN) });
const asTeacher = async () => ({ token: await signIn(app, world.own.people.TEACHER) });

/** What was measured so far, by account: the stored row stays with the account under which it was taken. */
const runsOf = ({ id }: UserRow): Promise<number> =>
  owner('sse_run')
    .where({ studentId: id })
    .count('* as n')
    .first()
    .then((row) => Number(row?.n));

async function recompute(...students: readonly UserRow[]): Promise<void> {
  await recomputeStudents(
    app.services,
    world.own.organizationId,
    students.map(({ id }) => id),
    'diagnostic_finished',
  );
}

interface Status {
  readonly items: readonly { readonly evidence: { readonly distinctItems: number } }[];
}

/** Returns the number of items that the newest status of the student rests on. */
async function itemsOf({ id }: UserRow): Promise<number> {
  const { status, body } = await app.get<Status>(`/api/sse/students/${id}/skill-status`, await asTeacher());
  assert.is(status, 200, JSON.stringify(body));
  return body.items.reduce((sum, { evidence }) => sum + evidence.distinctItems, 0);
}

/** Takes the next part of the diagnostic to its end, and returns its form. */
async function takePart(user: Person): Promise<string> {
  const hands = child(app, { ...user, token: await signIn(app, user) });
  const { status, body } = await hands.start();
  assert.is(status, 201, JSON.stringify(body));
  await hands.answerMany(body.sessionId, 200, rightIndex);
  assert.is((await hands.finish(body.sessionId)).status, 200);
  return body.formCode;
}

interface ReplayView {
  readonly state: string;
  readonly counts: { readonly same: number; readonly inputsDiffer: number; readonly rulesDiffer: number };
}

/** Executes all stored results of the organization again, and returns how many there are. */
async function replayAll(): Promise<number> {
  const token = await signIn(app, world.superAdmin);
  const body = {
    scope: { organizationId: world.own.organizationId },
    from: '2025-09-01T00:00:00.000Z',
    to: '2026-12-01T00:00:00.000Z',
  };
  const asked = await app.post<{ replayId: string }>('/api/admin/replays', body, { token });
  assert.is(asked.status, 202, JSON.stringify(asked.body));
  const { replayId } = asked.body;
  const { organizationId } = await owner('rule_job').where({ id: replayId }).first('organizationId');
  await runJob(app.services, [replayModel], { id: replayId, organizationId });
  const { state, counts } = (await app.get<ReplayView>(`/api/admin/replays/${replayId}`, { token })).body;
  assert.equal([state, counts.inputsDiffer, counts.rulesDiffer], ['done', 0, 0], JSON.stringify(counts));
  return counts.same;
}

/** Lets a night replay what is new of the organization and attest it; no result may differ. */
async function attestNight(): Promise<void> {
  await orderNights(app.services);
  const open: { id: string; organizationId: string }[] = await owner('rule_job')
    .where({ state: 'queued', subject: 'nightly', organizationId: world.own.organizationId })
    .select('id', 'organizationId');
  assert.is(open.length, 1);
  for (const job of open) await runJob(app.services, [replayModel], job);
  const links = await owner('rule_attestation').orderBy('id', 'desc').select('payload');
  const { counts } = JSON.parse(links[0].payload) as { counts: ReplayView['counts'] };
  assert.ok(counts.same > 0);
  assert.equal([counts.inputsDiffer, counts.rulesDiffer], [0, 0]);
  assert.equal(await owner('platform_alert').where({ code: 'REPLAY_MISMATCH' }), []);
}

interface Created extends UserRow {
  readonly possibleDuplicates: readonly { readonly studentId: number }[];
}

test('a year of corrections, a merge, and the new year', async () => {
  const { organizationId, school, classRow, people } = world.own;
  const survivor = people.STUDENT;
  const hands = teacher(app, people.TEACHER);
  await owner('app_user').where({ organizationId, id: survivor.id }).update({ fullNameAr: 'أحمد سالم الحربي' });

  // A clerk does not find أحمد and enters احمد: the response names the account that is there.
  const entered = {
    ...{ primaryPersona: 'STUDENT', fullNameAr: 'احمد  سالم الحربى', organizationId },
    classId: classRow.id,
  };
  const { status, body: created } = await app.post<Created>('/api/users', entered, await asAdmin());
  assert.is(status, 201, JSON.stringify(created));
  assert.equal(
    created.possibleDuplicates.map(({ studentId }) => studentId),
    [survivor.id],
  );

  // The first part is taken under the second account.
  const second: Person = { ...created, organizationId, token: await signIn(app, created) };
  const firstForm = await takePart(second);
  await recompute(second);
  assert.ok((await itemsOf(second)) > 0);

  // The teacher reads with the wrong child open, takes the reading back, and reads again.
  const reading = (await hands.start({ studentId: second.id })).body;
  assert.is((await hands.stop(reading.assessmentId, timeUp(11))).status, 200);
  app.clock.advance(60_000);
  const path = `/api/orf/assessments/${reading.assessmentId}/void`;
  const voided = await app.post<{ voidId: number }>(path, { reasonCode: 'wrong_student' }, await asTeacher());
  assert.is(voided.status, 201, JSON.stringify(voided.body));
  const right = (await hands.start({ studentId: survivor.id })).body;
  assert.is((await hands.stop(right.assessmentId, timeUp(20))).status, 200);
  await recompute(second, survivor);
  const storedBeforeMerge = await replayAll();

  // Two accounts of one child become one: its first part is done, and the second one is next.
  app.clock.advance(3_600_000);
  const merging = { intoStudentId: survivor.id, reasonCode: 'duplicate_account' };
  const merged = await app.post(`/api/students/${second.id}/merge`, merging, await asAdmin());
  assert.is(merged.status, 201, JSON.stringify(merged.body));
  const secondForm = await takePart(survivor);
  assert.is.not(secondForm, firstForm);
  await recompute(survivor);
  const together = await itemsOf(survivor);
  assert.ok(together > 0);
  assert.is(await itemsOf(second), together, 'the id of the account that went answers for the child');
  assert.ok((await replayAll()) > storedBeforeMerge);
  const storedLastYear = await replayAll();
  app.clock.advance(dayMs);
  await attestNight();

  // In September nobody is measured in last year's grade.
  app.clock.set('2026-09-06T06:00:00.000Z');
  const early = await child(app, { ...survivor, token: await signIn(app, survivor) }).start();
  assert.equal([early.status, detailOf(early.body)?.issue], [409, 'no_grade']);
  const rollOver = async (more: object = {}) =>
    app.post<{ rollOverId: number | null; classes: { grade: number; students: number }[] }>(
      `/api/schools/${school.id}/roll-over`,
      { fromYear: '2025-2026', ...more },
      await asAdmin(),
    );
  const dry = await rollOver({ dryRun: true });
  assert.equal([dry.status, dry.body.rollOverId], [200, null]);
  const rolled = await rollOver();
  assert.is(rolled.status, 201, JSON.stringify(rolled.body));
  assert.equal(
    rolled.body.classes.map(({ grade, students }) => [grade, students]),
    [[2, 1]],
  );
  assert.match(await takePart(survivor), /^DIAG-G2-/);
  const before = await runsOf(survivor);
  await recompute(survivor);
  assert.is(await runsOf(survivor), before + 1);

  // What was stored last year comes out the same, beside the new year.
  assert.is(await replayAll(), storedLastYear + 1);
  app.clock.advance(dayMs);
  await attestNight();
});

test.run();
