// timeout: 240s
// What a draft of rewards would have brought in the last four weeks, beside the version in force. Numbers are worked out by
// hand from 60 §1.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MasterySourceKind } from '#outcomes/rewards/engine/enums.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { type Student, useShell } from '../../../assessment/skill-status/shell.ts';
import { buildGrowth, type GrowthRow } from '../../../outcomes/rewards/rows.ts';
import { buildBackoffice, type Json, takeChange } from '../backoffice.ts';
import { edited, impactOf, jobOf, startOf, type WholeReport, workOn } from './world.ts';

const test = suite('the impact of rules of rewards');
const shell = useShell(test);
const { app } = shell;
const { owner } = app.database;

/** Three rises of a state on days of their own, and a better reading: 100 XP and three badges. */
let steady: Student;
/** A rise of a state long ago, and a completed plan lately: nothing that the drafts below change. */
let other: Student;
/** All of one day and session: its 200 XP are full. */
let full: Student;
let firstOfSteady = 0;

const day = (number: number): string => `2026-01-${String(number).padStart(2, '0')}`;

async function grown(student: Student, ...rows: readonly (GrowthRow & { readonly kind: MasterySourceKind })[]) {
  const ids: number[] = [];
  for (const row of rows) ids.push((await buildGrowth(owner, student, row)).masteryEventId);
  return ids;
}

test.before(async () => {
  app.clock.set('2026-01-20T08:00:00.000Z');
  steady = await shell.student();
  other = await shell.classmate(steady);
  full = await shell.classmate(steady);
  await shell.classmate(steady);
  const up = 'subskill_state_up' as const;
  [firstOfSteady = 0] = await grown(
    steady,
    { kind: up, on: day(5) },
    { kind: up, on: day(6) },
    { kind: up, on: day(7), missed: 3 },
    { kind: 'band_progression', on: day(8) },
  );
  await grown(other, { kind: up, on: '2025-11-03' }, { kind: 'bundle_completion', on: day(6), missed: 9 });
  const same = { on: day(12), session: 'live:full' };
  const domain = { ...same, kind: 'domain_status_escalation' as const };
  await grown(full, { ...same, kind: up }, domain, domain, domain, domain);
});

type Report = Omit<WholeReport, 'reportHash'>;

const simulated = async (draft: RuleDocument): Promise<Report> =>
  (await impactOf(shell, draft, { scope: { organizationId: steady.organizationId } })).report;

const counts = ({ layers }: Report, layer: string): string[] | undefined =>
  layers
    .find((one) => one.layer === layer)
    ?.transitions.map(({ from, to, count, direction }) => `${from} > ${to}: ${count} ${direction}`);

// biome-ignore lint/suspicious/noExplicitAny: tests reach into documents freely
const rewards = (change: (document: any) => void): RuleDocument => edited('gamification/rewards', change);
const moreForStates = rewards((document) => {
  document.xp.subskill_state_up = 30;
});

test('a draft that changes the XP of one kind: who gains, what a full session makes of it, and nothing else', async () => {
  const report = await simulated(moreForStates);
  assert.equal(report.rewards, {
    windowDays: 28,
    students: { rewarded: 3, gaining: 1, losing: 0 },
    byKind: [
      { sourceKind: 'subskill_state_up', events: 4, xp: { before: 80, after: 120 } },
      // 50, 50, 50 and what is left of 200: 30 after 20, 20 after 30.
      { sourceKind: 'domain_status_escalation', events: 4, xp: { before: 180, after: 170 } },
      { sourceKind: 'band_progression', events: 1, xp: { before: 40, after: 40 } },
      { sourceKind: 'bundle_completion', events: 1, xp: { before: 60, after: 60 } },
    ],
    bonusXp: { before: 80, after: 80 },
    badges: [
      { code: 'first_step', before: 2, after: 2 },
      { code: 'sound_explorer', before: 3, after: 3 },
      { code: 'new_horizon', before: 1, after: 1 },
      { code: 'door_opener', before: 1, after: 1 },
      { code: 'five_stars', before: 1, after: 1 },
    ],
    celebrations: [{ kind: 'avatar_tier', value: 2, before: 1, after: 1 }],
  });
  assert.equal(counts(report, 'XP'), [
    '20 > 30: 4 better',
    '30 > 20: 1 worse',
    '40 > 40: 1 same',
    '50 > 50: 3 same',
    '60 > 60: 1 same',
  ]);
  const { total, evaluated, changed } = report.students;
  assert.equal([total, evaluated, changed, report.recomputes], [4, 3, 2, 0]);
  assert.equal(
    report.byGrade.map(({ grade, students, changed: moved }) => [grade, students, moved]),
    [[2, 3, 2]],
  );
  assert.equal(
    report.layers.map(({ layer }) => layer),
    ['XP', 'BADGE', 'AVATAR_TIER', 'STREAK'],
    'no status is looked at',
  );
  assert.equal([report.ruleHits, report.notices, report.support], [[], null, null]);
  const gaining = report.layers[0]?.transitions.find(({ from }) => from === '20')?.exemplars ?? [];
  assert.equal(gaining.map(({ studentId, stampId }) => [studentId, stampId])[0], [
    steady.id,
    `mastery:${firstOfSteady}`,
  ]);
  assert.equal(
    gaining.map(({ studentId, before, after }) => [studentId, before.outcome, after.outcome]),
    [
      [steady.id, '20', '30'],
      [full.id, '20', '30'],
    ],
  );
});

test('fewer events for a badge and a tier, and a shorter grace: what is won, and whose run begins anew', async () => {
  const report = await simulated(
    rewards((document) => {
      document.badges.find(({ code }: { code: string }) => code === 'five_stars').condition.events = 4;
      document.avatarTiers = [4, 15, 35, 75];
      document.streak = { graceSchoolDays: 2, milestones: [2, 10, 20] };
    }),
  );
  // steady: the fourth event brings new_horizon first, one badge an event. full: the fourth of five events brings five_stars.
  assert.equal(counts(report, 'BADGE'), [
    'door_opener > door_opener: 1 same',
    'first_step > first_step: 2 same',
    'five_stars > five_stars: 1 same',
    'new_horizon > new_horizon: 1 same',
    'sound_explorer > sound_explorer: 3 same',
  ]);
  assert.equal(counts(report, 'AVATAR_TIER'), ['1 > 1: 1 same', '1 > 2: 1 better', '2 > 2: 1 same']);
  // steady: three missed school days end the run of two before its third day.
  assert.equal(counts(report, 'STREAK'), ['1 > 1: 2 same', '4 > 2: 1 worse']);
  assert.equal(report.rewards?.celebrations, [
    { kind: 'avatar_tier', value: 2, before: 1, after: 2 },
    { kind: 'streak_milestone', value: 2, before: 0, after: 2 },
  ]);
});

test('a badge that is gone from the draft, and a dearer one', async () => {
  const report = await simulated(
    rewards((document) => {
      document.badges = document.badges.filter(({ code }: { code: string }) => code !== 'sound_explorer');
      document.badges[0].bonusXp = 25;
      document.xp.bundle_completion = 10;
    }),
  );
  // other: without it the completed plan brings the badge that is its own.
  assert.equal(
    counts(report, 'BADGE')?.filter((line) => !line.endsWith('same')),
    ['none > path_finisher: 1 better', 'sound_explorer > none: 3 worse'],
  );
  // Two first steps at 25, new_horizon, door_opener, five_stars and path_finisher at 10.
  assert.equal(report.rewards?.bonusXp, { before: 80, after: 90 });
  // steady and full have 15 more and 10 less, other 50 less.
  assert.equal(report.rewards?.students, { rewarded: 3, gaining: 2, losing: 1 });
});

test('what lies before the four weeks stands as it was booked', async () => {
  const report = await simulated(
    rewards((document) => {
      document.badges[0].condition = { events: 2 };
    }),
  );
  // other has had its first step since November, and gets what is next on both sides.
  assert.equal(counts(report, 'BADGE'), [
    'door_opener > door_opener: 1 same',
    'first_step > first_step: 2 same',
    'five_stars > five_stars: 1 same',
    'new_horizon > new_horizon: 1 same',
    'sound_explorer > sound_explorer: 3 same',
  ]);
  assert.equal([report.students.changed, report.rewards?.bonusXp], [0, { before: 80, after: 80 }]);
});

test('the same rules bring the same, and steps of any size the same report', async () => {
  const scope = { organizationId: steady.organizationId };
  const draft = rewards(() => {});
  const { report } = await impactOf(shell, draft, { scope });
  assert.equal([report.students.changed, report.rewards.students.gaining], [0, 0]);
  const hashes = new Set<string>();
  const ids = [await startOf(shell, moreForStates, { scope }), await startOf(shell, moreForStates, { scope })];
  for (const [at, id] of ids.entries()) {
    const { changeId: _of, ...input } = (await jobOf(shell, id)).input as { changeId: string };
    await owner('rule_job')
      .where({ id })
      .update({ input: JSON.stringify({ ...input, changeId: 'c'.padEnd(24, '1') }) });
    await workOn(shell, id, at === 0 ? { stored: 1, gathered: 1 } : { stored: 500, gathered: 100 });
    hashes.add(String((await jobOf(shell, id)).reportHash));
  }
  assert.is(hashes.size, 1);
});

test('more students than one chunk holds, each with one rise: worked out in threads, and every one is counted', async () => {
  const { organizationId } = await shell.student();
  await owner.raw(
    `with person as (
       insert into app_user (organization_id, scope, primary_persona, full_name_ar, created_at)
       select :organizationId, 'ORGANIZATION', 'STUDENT', 'طالب', now() from generate_series(1, 350) returning id)
     insert into mastery_event (organization_id, student_id, school_year, source_kind, natural_key, source_type, source_id,
       sub_skill_code, session_key, occurred_at, local_date, missed_school_days, recorded_at, rule_version)
     select :organizationId, id, '2025-2026', 'subskill_state_up', 'DEC_WORD:1', 'skill_state', '1', 'DEC_WORD', 'live:1',
       '2026-01-12T08:00:00Z', '2026-01-12', 0, '2026-01-12T08:00:00Z', 'gamification/rewards@1' from person`,
    { organizationId },
  );
  const { report } = await impactOf(shell, moreForStates, { scope: { organizationId } });
  assert.equal(counts(report, 'XP'), ['20 > 30: 350 better']);
  assert.equal(report.rewards.students, { rewarded: 350, gaining: 350, losing: 0 });
  const exemplars = report.layers[0].transitions[0].exemplars as { readonly studentId: number }[];
  assert.equal([exemplars.length, new Set(exemplars.map(({ studentId }) => studentId)).size], [10, 10]);
});

test('an approval asks for the report over the whole platform, and quotes it', async () => {
  const office = await buildBackoffice(app);
  const document = rewards((text) => {
    text.framing.topLabelAr = 'خطوات كثيرة';
  }) as unknown as Json;
  const change = await takeChange(office, { 'gamification/rewards': document }, { upTo: 'submit' });
  const approve = (more: object = {}) =>
    office.approver.post(`${change.address}/approve`, { sha256: change.sha256, ...more });
  const without = await approve();
  assert.equal([without.status, without.body.details?.[0]?.field], [422, 'reportHash']);
  const asked = await office.author.post(`${change.address}/impact`, { scope: { platform: true } });
  assert.is(asked.status, 202, JSON.stringify(asked.body));
  await workOn(shell, String(asked.body.jobId));
  const { body } = await office.approver.get(`/api/admin/impact/${asked.body.jobId}`);
  const { reportHash, rewards: found } = body.report as unknown as WholeReport;
  assert.equal(found?.students, { rewarded: 353, gaining: 0, losing: 0 });
  assert.is((await approve({ reportHash })).body.state, 'published');
});

test.run();
