// timeout: 180s
// Every kind from its cause, over HTTP or by its job, to the inboxes of its recipients and of no others: once, with the payload
// of the contract, in filtered texts.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { jobsOf } from '#core/module/capability.ts';
import { deliverWaiting } from '#messaging/notifications/dispatch/deliver.ts';
import { checkText } from '#rules/language/index.ts';
import { checkAssignments } from '#support/interventions/assignments/jobs.ts';
import { evaluateOrganization } from '#support/rti/evaluation/daily.ts';
import { serveRequests } from '#support/rti/evaluation/serve.ts';
import { relayAll } from '../../../workers/relay.ts';
import { bundle } from '../../assessment/skill-status/evidence.ts';
import { type Backoffice, buildBackoffice } from '../../backoffice/workbench/backoffice.ts';
import { isTested } from '../../contract/tested.ts';
import { buildClass, buildParent, buildTeacher, buildUser, signIn, type UserRow } from '../../harness/factories.ts';
import { allRight, monday, type Pupil } from '../../support/interventions/workflow/draft-bodies.ts';
import { useKnown } from '../../support/rti/situations/known.ts';
import { capturedLog, noQueues } from '../../workers/support.ts';

const test = suite('from what happens to an inbox');
const known = useKnown(test);
const { app, services } = known.plans.shell;
const { owner } = app.database;
const dayMs = 86_400_000;
let office: Backoffice;

test.before(async () => {
  app.clock.set(monday);
  office = await buildBackoffice(app);
});

/** A child, and all possible recipients. */
interface Family {
  readonly pupil: Pupil;
  readonly told: Readonly<Record<'teachers' | 'parents' | 'admins', readonly UserRow[]>>;
  /** Recipients for other children. */
  readonly others: readonly UserRow[];
}

async function familyOf(answers?: Readonly<Record<string, string>>): Promise<Family> {
  const pupil = await known.plans.pupil(answers);
  const { organizationId, classRow } = pupil;
  const elsewhere = await buildClass(owner, { organizationId, schoolId: classRow.schoolId, name: 'other' });
  const user = (persona: 'ADMIN' | 'PARENT' | 'MANAGER') => buildUser(owner, persona, { organizationId });
  return {
    pupil,
    told: {
      teachers: [pupil.teacher, await buildTeacher(owner, classRow, 'SECONDARY')],
      parents: [await buildParent(owner, pupil), await buildParent(owner, pupil)],
      admins: [await user('ADMIN'), await user('ADMIN')],
    },
    others: [await buildTeacher(owner, elsewhere), await user('PARENT'), await user('MANAGER'), pupil],
  };
}

interface Notified {
  readonly kind: string;
  readonly severity: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly renderedTitleAr: string;
  readonly renderedBodyAr: string;
}

const inboxOf = async (person: UserRow, kind: string): Promise<readonly Notified[]> => {
  const token = await signIn(app, person);
  const { status, body } = await app.get<{ items: Notified[] }>(`/api/notifications?kind=${kind}&limit=100`, { token });
  assert.is(status, 200);
  return body.items.toReversed();
};

/** Runs all work of the workers twice; the second time adds nothing. */
async function settle({ pupil }: Family): Promise<void> {
  const { log, lines } = capturedLog();
  const { reactions } = jobsOf(app.services.capabilities);
  for (const _ of ['once', 'again']) {
    await relayAll(services, noQueues, reactions, log);
    await deliverWaiting(services, pupil.organizationId);
  }
  assert.equal(
    lines.filter(({ err }) => err !== undefined),
    [],
  );
}

const alertOf = async ({ id: studentId }: UserRow) => {
  const [alert, ...others] = await owner('rti_alert').where({ studentId });
  assert.is(others.length, 0);
  return alert;
};

async function looked({ pupil }: Family): Promise<void> {
  await serveRequests(services, pupil.organizationId, [pupil.id]);
}

interface Act {
  readonly to: keyof Family['told'];
  readonly answers?: Readonly<Record<string, string>>;
  /** Returns the resulting payloads, in order. */
  does(family: Family): Promise<readonly object[]>;
}

/** The first part of grade 2. */
const oneNeed = { ...allRight, DEC_WORD: 'UUUCCC' };
const twoNeeds = { ...allRight, DEC_WORD: 'UUUU', LIS_LITERAL: 'UUUU' };

async function isReviewDue(family: Family): Promise<readonly object[]> {
  const { pupil } = family;
  await known.moved(pupil, 1, 2, '2025-11-03');
  await evaluateOrganization(services, pupil.organizationId);
  const { id: reviewId, kind } = await alertOf(pupil);
  assert.is(kind, 'tier_review_due');
  const dueAt = new Date(app.clock.now().getTime() + dayMs).toISOString();
  return [{ studentId: pupil.id, reviewId, dueAt, stage: 'opened' }];
}

async function isDismissed(family: Family): Promise<readonly object[]> {
  const { pupil } = family;
  await looked(family);
  const { id: alertId } = await alertOf(pupil);
  const path = `/api/rti/alerts/${alertId}/dismiss`;
  const body = { overrideCode: 'Alr_Already_Addressed_06' };
  assert.is((await app.post(path, body, { token: await signIn(app, pupil.teacher) })).status, 200);
  app.clock.advance(11 * dayMs);
  await evaluateOrganization(services, pupil.organizationId);
  return [{ studentId: pupil.id, alertId, expiresOn: '2026-01-26' }];
}

/**
 * Below the goal and flat at once. Then 40 words, three weeks after the last of the readings of 13, 13 and 12: the median of
 * the six slopes between them is (0 + 5.4) / 2 words a week, so that neither holds any more.
 */
async function readsBadlyAndThenWell(family: Family): Promise<readonly object[]> {
  const { pupil } = family;
  known.at('2025-11-05');
  const october = { '2025-10-05': 14, '2025-10-06': 12, '2025-10-08': 15 };
  await known.reads(pupil, { ...october, '2025-10-22': 13, '2025-10-29': 13, '2025-11-05': 12 });
  await settle(family);
  known.at('2025-11-26');
  await known.reads(pupil, { '2025-11-26': 40 });
  const rows: { id: string; kind: string }[] = await owner('cbm_alert').where({ studentId: pupil.id }).orderBy('id');
  const idOf = (kind: string) => rows.find((row) => row.kind === kind)?.id;
  const of = (alertKind: string, trend: string, state: string) => ({
    ...{ studentId: pupil.id, alertId: idOf(alertKind), alertKind, measureCode: 'ORF_WCPM', trend, state },
  });
  return [
    of('cbm_below_goal', 'trend_below_goal', 'opened'),
    of('cbm_flat', 'trend_below_goal', 'opened'),
    of('cbm_below_goal', 'trend_mixed', 'closed'),
    of('cbm_flat', 'trend_mixed', 'closed'),
  ];
}

async function isSwapped(): Promise<readonly object[]> {
  const path = '/api/admin/benchmark-profiles';
  const cell = { country: null, grade: 3, measureCode: 'ORF_WCPM', season: null };
  const values = { cuts: null, source: 'A norm of a country.', titleAr: 'معيار الطلاقة' };
  const { status, body } = await office.author.post(path, { ...cell, ...values });
  assert.is(status, 201, JSON.stringify(body));
  assert.is((await office.author.post(`${path}/${body.id}/publish`, {})).status, 200);
  assert.is(
    (await office.approver.post(`${path}/${body.id}/activate`, {})).status,
    200,
    'another person than the author',
  );
  return [{ benchmarkProfileKey: 'orf-wcpm-global-g3-any', fromVersion: null, toVersion: 1 }];
}

const acts: Readonly<Record<string, Act>> = {
  q5_24h_ack: { to: 'teachers', answers: allRight, does: isReviewDue },
  skill_alert_assigned: {
    to: 'teachers',
    answers: oneNeed,
    async does(family) {
      await looked(family);
      const { id: alertId } = await alertOf(family.pupil);
      return [{ studentId: family.pupil.id, alertId, subSkillCode: 'DEC_WORD', stage: 'opened' }];
    },
  },
  student_alert_assigned: {
    to: 'teachers',
    answers: twoNeeds,
    async does(family) {
      await looked(family);
      const { id: alertId } = await alertOf(family.pupil);
      return [{ studentId: family.pupil.id, stage: 'opened', alertId, alertKind: 'Student_Alert' }];
    },
  },
  benchmark_profile_swap: { to: 'admins', does: isSwapped },
  dismissal_expiry: { to: 'teachers', answers: oneNeed, does: isDismissed },
  plan_modification_suggestion: {
    to: 'teachers',
    async does({ pupil }) {
      const assignmentId = await known.plans.given(pupil);
      app.clock.advance(27 * dayMs);
      await checkAssignments(services, pupil.organizationId, app.clock.now());
      return [{ studentId: pupil.id, assignmentId, suggestionCode: 'off_track_no_delivery' }];
    },
  },
  cbm_alert_lifecycle: { to: 'teachers', answers: allRight, does: readsBadlyAndThenWell },
  parent_tsp_activation: {
    to: 'parents',
    does: async ({ pupil }) => [{ studentId: pupil.id, assignmentId: await known.plans.given(pupil) }],
  },
};

test('every kind has what brings it about, here or in a test of the capability that lists it', () => {
  const kinds = capabilities.flatMap(({ name, notificationKinds = [] }) =>
    notificationKinds.map(({ kind }) => ({ name, kind })),
  );
  assert.equal(
    Object.keys(acts).filter((word) => !kinds.some(({ kind }) => kind === word)),
    [],
  );
  for (const { name, kind } of kinds) assert.ok(acts[kind] ?? isTested(name, `'${kind}'`), kind);
});

test('two reasons about one assignment within a minute: both are delivered, each with its text and the child’s full name', async () => {
  const family = await familyOf();
  const { pupil, told: notified } = family;
  await owner('app_user').where({ id: pupil.id }).update({ fullNameAr: 'سارة خالد الحربي' });
  const [teacher] = notified.teachers as [UserRow];
  const assignmentId = await known.plans.given(pupil);
  app.clock.advance(28 * dayMs);
  const token = await signIn(app, teacher);
  await checkAssignments(services, pupil.organizationId, app.clock.now());
  await settle(family);
  assert.is((await app.post(`/api/fidelity/${assignmentId}/recompute`, {}, { token })).status, 200);
  await settle(family);
  const rows = await inboxOf(teacher, 'plan_modification_suggestion');
  assert.equal(rows.map(({ renderedBodyAr, payload }) => [payload.suggestionCode, renderedBodyAr]).sort(), [
    ['low_fidelity', 'خطة سارة خالد الحربي: قُدِّم من حصص الخطة أقل من المقرر.'],
    ['off_track_no_delivery', 'خطة سارة خالد الحربي: لم تُقدَّم حصص الخطة في الأسابيع الأخيرة.'],
  ]);
});

const sorted = (payloads: readonly object[]) => payloads.map((one) => JSON.stringify(one)).sort();

for (const [kind, { to, answers, does }] of Object.entries(acts)) {
  test(`${kind}: from the act to the inboxes of all ${to}, and to no other`, async () => {
    const family = await familyOf(answers);
    const payloads = (await does(family)).map((payload) => Object.fromEntries(Object.entries(payload).sort()));
    await settle(family);
    for (const person of family.told[to]) {
      const notified = await inboxOf(person, kind);
      const summary = notified.map(({ payload }) => Object.fromEntries(Object.entries(payload).sort()));
      assert.equal(sorted(summary), sorted(payloads));
      for (const { renderedTitleAr, renderedBodyAr } of notified)
        for (const text of [renderedTitleAr, renderedBodyAr]) {
          assert.ok(text.length > 0 && !text.includes('{{'), text);
          assert.equal(checkText(bundle, text, to === 'parents' ? 'parent_stricter' : 'ui').violations, []);
        }
    }
    const spared = Object.entries(family.told).flatMap(([name, people]) => (name === to ? [] : people));
    for (const person of [...spared, ...family.others])
      assert.equal(await inboxOf(person, kind), [], person.primaryPersona);
  });
}

test.run();
