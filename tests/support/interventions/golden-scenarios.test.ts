// timeout: 180s
// The scenarios of the contract (52 §11, G-01 to G-05): children take diagnostics over HTTP, teachers group and activate over
// HTTP.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { itemBanks } from '#assessment/content/index.ts';
import { errorClassOf } from '#assessment/measurement/evidence/engine/facts.ts';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { compileCatalogue } from '#rules/catalogue/index.ts';
import { child, rightIndex, type ServedBody } from '../../assessment/measurement/diagnostics/child.ts';
import { bundle } from '../../assessment/skill-status/evidence.ts';
import {
  buildClass,
  buildStudent,
  buildTeacher,
  type ClassRow,
  signIn,
  type UserRow,
} from '../../harness/factories.ts';
import { useApp } from '../../harness/http.ts';
import type { Person } from '../../harness/world.ts';
import { decodingKey } from './cluster-keys.ts';

const noLimits = { RATE_LIMIT_USER_PER_MINUTE: '1000000', RATE_LIMIT_IP_PER_MINUTE: '1000000' };
const app = useApp(test, { rules: true, settings: noLimits });
const { owner } = app.database;
const bank = await itemBanks().current();
const catalogue = compileCatalogue(bundle);
/** More items than any part has. */
const everything = 200;

function itemOf({ itemId }: ServedBody) {
  const item = bank.find(itemId);
  if (!item) throw new Error(`no item ${itemId}`);
  return item;
}

/** An option that points at no earlier skill and at no mark. */
function plainlyWrong(served: ServedBody): number {
  const item = itemOf(served);
  const found = item.options.find((option) => {
    const choice = { index: option.index, correct: false, microPattern: option.microPattern };
    const { subSkillCode, designedPatterns } = item;
    const errorClass = errorClassOf({ choice, subSkillCode, designedPatterns }, catalogue);
    return option.index !== item.correctIndex && (errorClass === 'target' || errorClass === 'none');
  });
  if (!found) throw new Error(`${item.id} has no plainly wrong option`);
  return found.index;
}

/** All answers correct except for these sub-skills. */
const allRightBut = (wrong: readonly string[]) => (served: ServedBody) =>
  wrong.includes(itemOf(served).subSkillCode) ? plainlyWrong(served) : rightIndex(served);

interface School {
  readonly classRow: ClassRow;
  readonly teacher: UserRow;
}

async function school(): Promise<School> {
  const classRow = await buildClass(owner, { grade: 2 });
  return { classRow, teacher: await buildTeacher(owner, classRow) };
}

const pupilOf = async ({ classRow }: School): Promise<Person> => {
  const user = await buildStudent(owner, classRow);
  return { ...user, token: await signIn(app, user) } as Person;
};

async function takes(pupil: Person, formCode: string, wrong: readonly string[], answers = everything): Promise<void> {
  const kid = child(app, { ...pupil, token: await signIn(app, pupil) });
  const { body, status } = await kid.start({ formCode });
  assert.is(status, 201, JSON.stringify(body));
  await kid.answerMany(body.sessionId, answers, allRightBut(wrong));
  const finished = await kid.finish(body.sessionId);
  assert.is(finished.status, 200, JSON.stringify(finished.body));
  await recomputeStudents(app.services, pupil.organizationId ?? '', [pupil.id], 'diagnostic_finished');
  app.clock.advance(60_000);
}

const firstPart = (pupil: Person, wrong: readonly string[] = []) => takes(pupil, 'DIAG-G2-P1', wrong);
const halt = (pupil: Person) => takes(pupil, 'DIAG-G2-P2', [], 3);

interface Generation {
  readonly generationId: string;
  readonly created: boolean;
  readonly clusters: readonly { readonly clusterKey: string; readonly memberStudentIds: readonly number[] }[];
  readonly individualReview: readonly object[];
  readonly moreDataNeeded: readonly object[];
}
interface Refused {
  readonly code: string;
  readonly details?: readonly { readonly field: string; readonly issue: string }[];
}

/** Signed in anew, because diagnostics take longer than a token is valid. */
const asTeacher = async ({ teacher }: School) => ({ token: await signIn(app, teacher) });
const recompute = async (at: School) =>
  (await app.post<Generation>(`/api/cluster/recompute/${at.classRow.id}`, {}, await asTeacher(at))).body;
const bulk = async (at: School, pupils: readonly Person[], more: object = {}) =>
  app.post<Refused & { assignments: { created: boolean }[] }>(
    '/api/cluster/bulk-activate',
    { clusterKey: decodingKey, confirmedMemberStudentIds: pupils.map(({ id }) => id), ...more },
    await asTeacher(at),
  );
const activate = async (at: School, { id: studentId }: Person, body: object) =>
  app.post<Refused & { outcome?: string }>('/api/workflow/activate', { studentId, ...body }, await asTeacher(at));
const assignmentsIn = async ({ classRow }: School) =>
  (await owner('bundle_assignment').where({ classId: classRow.id })).length;
const summary = ({ status, body: { code, details } }: { status: number; body: Refused }) => ({ status, code, details });

test('G-01: a student who was never measured is given nothing', async () => {
  const at = await school();
  const pupil = await pupilOf(at);
  const profile = await app.get<Record<string, unknown>>(`/api/students/${pupil.id}/profile`, await asTeacher(at));
  assert.equal(
    [profile.body.profileCode, profile.body.nextRecommendedDataAction],
    ['DATA_INCOMPLETE', 'run_diagnostic'],
  );
  const path = `/api/students/${pupil.id}/bundle-recommendation`;
  const { body } = await app.get<Record<string, unknown>>(path, await asTeacher(at));
  assert.equal([body.recommended_bundle_id, body.outcome], [null, 'blocked_insufficient_evidence']);
  const reply = await activate(at, pupil, { bundle_id: 'BND-DECODE-01' });
  assert.equal([reply.status, reply.body.outcome], [200, 'blocked_insufficient_evidence']);
  assert.is(await assignmentsIn(at), 0);
});

/** A, B and C cannot read words. */
async function groupOfThree() {
  const at = await school();
  const [a, b, c] = [await pupilOf(at), await pupilOf(at), await pupilOf(at)];
  for (const pupil of [a, b, c]) await firstPart(pupil, ['DEC_WORD']);
  return { at, a, b, c };
}

/** D is halted as well; E was never measured; F reads well. */
async function classOfSix() {
  const { at, ...group } = await groupOfThree();
  const [d, e, f] = [await pupilOf(at), await pupilOf(at), await pupilOf(at)];
  await firstPart(d, ['DEC_WORD']);
  await firstPart(f);
  await halt(d);
  return { at, ...group, d, e };
}

test('G-02, G-03: one group, two who need more data; given its bundle once, as a whole', async () => {
  const { at, a, b, c, d, e } = await classOfSix();
  const found = await recompute(at);
  assert.equal(
    found.clusters.map(({ clusterKey, memberStudentIds }) => [clusterKey, memberStudentIds]),
    [[decodingKey, [a.id, b.id, c.id]]],
  );
  assert.equal(found.individualReview, []);
  assert.equal(found.moreDataNeeded, [
    { studentId: d.id, reasonCode: 'do_not_decide_yet', nextRecommendedDataAction: 'administer_more_items' },
    { studentId: e.id, reasonCode: 'data_incomplete', nextRecommendedDataAction: 'run_diagnostic' },
  ]);
  const again = await recompute(at);
  assert.equal([found.created, again.created, again.generationId], [true, false, found.generationId]);

  const details = (field: string, issue: string) => [{ field, issue }];
  assert.equal(summary(await bulk(at, [a, b, c, d])), {
    status: 422,
    code: 'EXCLUDED_MEMBER',
    details: details('confirmedMemberStudentIds.3', 'do_not_decide_yet'),
  });
  assert.equal(summary(await bulk(at, [a, b])), {
    status: 409,
    code: 'CLUSTER_STALE',
    details: details('confirmedMemberStudentIds', 'membership_added'),
  });
  assert.is(summary(await bulk(at, [a, b, c], { memberAdjustments: [{}] })).code, 'MEMBER_ADJUSTMENTS_NOT_SUPPORTED');
  const given = await bulk(at, [a, b, c]);
  assert.equal([given.status, given.body.assignments.map(({ created }) => created)], [201, [true, true, true]]);
  assert.equal(summary(await bulk(at, [a, b, c])), {
    status: 409,
    code: 'CONFLICT',
    details: details('clusterKey', 'all_open'),
  });
  assert.is(await assignmentsIn(at), 3);
});

test('G-04: who is halted after the groups were found keeps the group from its bundle until they are found anew', async () => {
  const { at, a, b, c } = await groupOfThree();
  const before = await recompute(at);
  await halt(c);
  assert.is(summary(await bulk(at, [a, b, c])).code, 'EXCLUDED_MEMBER');
  assert.is(summary(await bulk(at, [a, b])).code, 'CLUSTER_STALE');
  const after = await recompute(at);
  assert.is.not(after.generationId, before.generationId);
  assert.is((await bulk(at, [a, b])).status, 201);
  assert.is(await assignmentsIn(at), 2);
});

test('G-05: against the recommendation only with a confirmation, with a reason for assignments, and once', async () => {
  const at = await school();
  const pupil = await pupilOf(at);
  await firstPart(pupil, ['DEC_WORD']);
  const body = { bundle_id: 'SUP-DECODE-01' };
  const first = await activate(at, pupil, body);
  assert.equal([first.status, first.body.details], [409, [{ field: 'bundle_id', issue: 'confirmation_required' }]]);
  const meant = { ...body, confirmOffRecommendation: true };
  const second = await activate(at, pupil, meant);
  assert.equal([second.status, second.body.details?.[0]?.issue], [422, 'override_required']);
  const third = await activate(at, pupil, { ...meant, overrideCode: 'Gam_Award_Invalid_05' });
  assert.equal([third.status, third.body.details?.[0]?.issue], [422, 'wrong_scope']);
  const reasoned = { ...meant, overrideCode: 'Wfl_Bundle_Substitution_03' };
  assert.is((await activate(at, pupil, reasoned)).status, 201);
  const last = await activate(at, pupil, reasoned);
  assert.equal([last.status, last.body.details?.[0]?.issue], [409, 'already_open']);
  assert.is(await assignmentsIn(at), 1);
});

test.run();
