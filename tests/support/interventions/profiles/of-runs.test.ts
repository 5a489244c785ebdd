// Profiles are resolved with runs: a row when something differs from the one before, and nothing else.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeModel } from '#backoffice/workbench/activation/recompute.ts';
import { runJob } from '#core/long-jobs/runner.ts';
import { inContext } from '#core/platform/db.ts';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import { type Student, useShell } from '../../../assessment/skill-status/shell.ts';
import {
  type Backoffice,
  buildBackoffice,
  installVersion,
  type Json,
  nextVersion,
} from '../../../backoffice/workbench/backoffice.ts';
import { buildTeacher, signIn, type UserRow } from '../../../harness/factories.ts';

const test = suite('profiles of runs');
const shell = useShell(test);
const { app, services } = shell;
const { owner } = app.database;
const monday = '2026-01-12T08:00:00.000Z';
let office: Backoffice;

test.before(async () => {
  app.clock.set(monday);
  office = await buildBackoffice(app);
});
test.before.each(() => app.clock.set(monday));

/** The first part of grade 2 (contract 52 §11). */
const right = {
  ...{ LK_SOUND: 'CCCC', DEC_SYLLABLE: 'CCCC', DEC_WORD: 'CCCC' },
  ...{ LIS_LITERAL: 'CCCC', VOC_MEANING: 'CCCC', RC_LITERAL: 'CCCC' },
};
const wordsWrong = { ...right, DEC_WORD: 'UUUU' };
const shipped = { 'profile/resolution': 1, 'profile/modifiers': 1, 'profile/settings': 1 };

async function measured(parts: Readonly<Record<string, string>>): Promise<Student> {
  const student = await shell.student();
  await measure(student, parts);
  return student;
}

async function measure(student: Student, parts: Readonly<Record<string, string>>, from = 1): Promise<void> {
  const finishedAt = app.clock.now().toISOString();
  await shell.diagnostic(student, answersOf(parts, from), { finishedAt, announced: false });
  await shell.recompute(student);
}

const teachers = new Map<number, UserRow>();

async function ask(student: Student, rest: string): Promise<Json> {
  const teacher = teachers.get(student.classRow.id) ?? (await buildTeacher(owner, student.classRow));
  teachers.set(student.classRow.id, teacher);
  const token = await signIn(app, teacher);
  const { status, body } = await app.get<Json>(`/api/students/${student.id}/${rest}`, { token });
  assert.is(status, 200, JSON.stringify(body));
  return body;
}

const rowsOf = ({ id, organizationId }: Student): Promise<Json[]> =>
  inContext(owner, { organizationId }, (trx) => trx('profile_assignment').where({ studentId: id }).orderBy('id'));

const eventsOf = ({ organizationId }: Student): Promise<Json[]> =>
  inContext(owner, 'SUPER', (trx) =>
    trx('outbox').where({ organizationId, topic: 'profile.changed' }).orderBy('id').select('payload'),
  );

test('a student who was never measured has no profile, and is to be measured', async () => {
  const student = await shell.student();
  assert.equal(await ask(student, 'profile'), {
    ...{ studentId: student.id, profileId: null, outcome: 'DATA_INCOMPLETE', profileCode: 'DATA_INCOMPLETE' },
    ...{ ruleId: null, modifiers: [], anchorRole: null, anchorDomainCode: null, anchorSubSkillCode: null },
    ...{ anchorSkillGroup: 'NONE', narrative: null, nextRecommendedDataAction: 'run_diagnostic', runId: null },
    ...{ pending: false, resolvedAt: null, ruleVersions: shipped },
  });
  assert.equal(await ask(student, 'profile/history'), { items: [], nextCursor: null });
  const recommended = await ask(student, 'bundle-recommendation');
  assert.is(recommended.outcome, 'blocked_insufficient_evidence');
  assert.is(recommended.recommended_bundle_id, null);
  assert.is(recommended.ruleId, 'BRR-02');
  assert.is(recommended.nextRecommendedDataAction, 'run_diagnostic');
});

test('a student who reads no words gets the profile, the anchor and the bundle of the golden scenario G-02', async () => {
  const student = await measured(wordsWrong);
  const [run] = await shell.rows<{ id: string }>('sse_run', student);
  const profile = await ask(student, 'profile');
  const [row] = await rowsOf(student);
  assert.equal(
    { ...profile, narrative: null },
    {
      ...{ studentId: student.id, profileId: row?.id, outcome: 'resolved', profileCode: 'DECODING_NEED' },
      ...{ ruleId: 'PRF-10', modifiers: ['PARTIAL_DOMAINS', 'SEVERE_TILE'], anchorRole: 'DECODE' },
      ...{ anchorDomainCode: 'DEC', anchorSubSkillCode: 'DEC_WORD', anchorSkillGroup: 'DEC_BASIC', narrative: null },
      ...{ nextRecommendedDataAction: null, runId: run?.id, pending: false, resolvedAt: monday, ruleVersions: shipped },
    },
  );
  assert.equal(profile.narrative, {
    titleAr: 'فك الرمز',
    bodyAr: 'درّب على قراءة المقاطع ثم الكلمات المشكولة بتدرج.',
  });
  assert.equal(await eventsOf(student), [
    {
      payload: {
        ...{ studentId: student.id, profileId: row?.id, runId: run?.id },
        ...{ profileCode: 'DECODING_NEED', outcome: 'resolved' },
      },
    },
  ]);
  const recommended = await ask(student, 'bundle-recommendation');
  assert.equal(
    [
      ...[recommended.recommended_bundle_id, recommended.action, recommended.ruleId, recommended.objectType],
      ...[recommended.scaffold_tier, recommended.compatible_delivery_mode, recommended.dataSufficiency],
    ],
    [
      ...['BND-DECODE-01', 'activate', 'BRR-12A', 'INTERVENTION_BUNDLE'],
      ...['Level_3', 'teacher_led_small_group', 'sufficient'],
    ],
  );
});

test('why: the deciding facts, and for every other bundle the reason against it', async () => {
  const student = await measured(wordsWrong);
  const why = await ask(student, 'bundle-recommendation/why');
  const because = why.because as Json[];
  const code = because.find(({ fact }) => fact === 'profileCode');
  assert.is(code?.value, 'DECODING_NEED');
  const strong = because.find(({ fact }) => fact === 'strongDECODE');
  assert.equal(
    [strong?.value, strong?.subSkillCode, strong?.domainCode, strong?.decidedAt],
    [true, 'DEC_WORD', 'DEC', monday],
  );
  const notChosen = why.notChosen as Json[];
  const codeOf = (bundle: string) => notChosen.find(({ bundle_id }) => bundle_id === bundle)?.code;
  assert.is(codeOf('BND-DECODE-01'), undefined);
  assert.is(codeOf('BND-DECODE-02'), 'not_for_grade');
  assert.is(codeOf('BND-LANGUAGE-01'), 'role_not_in_need');
  assert.is(codeOf('SUP-DECODE-01'), 'needs_other_pattern');
  assert.equal(notChosen.find(({ bundle_id }) => bundle_id === 'BND-LANGUAGE-01')?.from, [
    { fact: 'domainStatus', domainCode: 'DEC', is: 'weak_gateway', would: 'weak_isolated' },
    { fact: 'domainStatus', domainCode: 'LIS', is: 'adequate', would: 'broad_weakness_related' },
  ]);
  const unmeasured = (await ask(await shell.student(), 'bundle-recommendation/why')).notChosen as Json[];
  assert.ok(unmeasured.every(({ from }) => from === null));
});

test('new evidence with the same profile appends nothing; another profile does, and history has both', async () => {
  const student = await measured(wordsWrong);
  app.clock.set('2026-01-13T08:00:00.000Z');
  await measure(student, { LK_SOUND: 'CCCC' }, 11);
  assert.is((await shell.rows('sse_run', student)).length, 2);
  assert.is((await rowsOf(student)).length, 1);
  app.clock.set('2026-01-14T08:00:00.000Z');
  await measure(student, { DEC_FAMILIAR: 'CC' }, 1);
  const rows = await rowsOf(student);
  assert.equal(
    rows.map(({ ruleId, outcome }) => [ruleId, outcome]),
    [
      ['PRF-10', 'resolved'],
      ['PRF-01', 'do_not_decide_yet'],
    ],
  );
  const halted = await ask(student, 'profile');
  assert.is(halted.profileCode, 'DATA_INCOMPLETE');
  assert.is(halted.nextRecommendedDataAction, 'administer_more_items');
  const { items } = await ask(student, 'profile/history');
  assert.equal(
    (items as Json[]).map(({ profileCode }) => profileCode),
    ['DATA_INCOMPLETE', 'DECODING_NEED'],
  );
  assert.is((await ask(student, 'bundle-recommendation')).outcome, 'blocked_insufficient_evidence');
});

test('PRF-02 after PRF-01 is a new row although the code stays', async () => {
  const student = await measured({ DEC_WORD: 'CC' });
  app.clock.set('2026-01-13T08:00:00.000Z');
  await measure(student, { DEC_WORD: 'CCCC' }, 11);
  assert.equal(
    (await rowsOf(student)).map(({ ruleId, profileCode }) => [ruleId, profileCode]),
    [
      ['PRF-01', 'DATA_INCOMPLETE'],
      ['PRF-02', 'DATA_INCOMPLETE'],
    ],
  );
});

test('on the first day of a school year no student has a profile', async () => {
  const student = await measured(wordsWrong);
  app.clock.set('2026-11-02T08:00:00.000Z');
  const profile = await ask(student, 'profile');
  assert.equal([profile.profileCode, profile.profileId], ['DATA_INCOMPLETE', null]);
  assert.is(((await ask(student, 'profile/history')).items as Json[]).length, 1);
});

test('new rules of profiles resolve every student again from the current run; who stays the same is not written', async () => {
  const [touched, same] = [
    await measured({ ...right, DEC_WORD: 'UUUU', LIS_LITERAL: 'UUUU' }),
    await measured(wordsWrong),
  ];
  const [before] = await rowsOf(touched);
  await installVersion(owner, await nextVersion(owner, 'profile/resolution', { 'PRF-STR-01': 2 }));
  const body = { reason: 'policy_change', versions: { 'profile/resolution': 2 } };
  const done = await office.author.post('/api/admin/rule-bundles', body);
  assert.is(done.status, 201, JSON.stringify(done.body));
  for (const job of await inContext(owner, 'SUPER', (trx) => trx('rule_job').where({ state: 'queued' }))) {
    await runJob(services, [recomputeModel], job);
  }
  assert.is((await shell.rows('sse_run', touched)).length, 1);
  const rows = await rowsOf(touched);
  assert.is(before?.ruleId, 'PRF-10');
  assert.equal(
    rows.map(({ ruleId, runId }) => [ruleId, runId]),
    [
      ['PRF-10', before?.runId],
      ['PRF-06', before?.runId],
    ],
  );
  assert.equal(rows[1]?.ruleVersions, { ...shipped, 'profile/resolution': 2 });
  assert.is((await rowsOf(same)).length, 1);
});

test.run();
