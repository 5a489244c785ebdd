// What happens to the children of the class in the year. A story is a generator that yields what it waits for; it goes on in
// the morning of the first day on which that has come.
import * as assert from 'uvu/assert';
import type { Db } from '#core/platform/db.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import type { UserRow } from '../harness/factories.ts';
import { datesFrom } from './year-calendar.ts';
import type { SchoolDays } from './year-days.ts';
import type { ChildName, Hands, School } from './year-school.ts';

export type Story = AsyncGenerator<() => boolean | Promise<boolean>, void, void>;

export interface YearParts {
  readonly owner: Db;
  readonly school: School;
  readonly hands: Hands;
  readonly days: SchoolDays;
  /** Changes the calendar of the organization from today on. */
  setHolidays(change: (holidays: readonly string[]) => readonly string[]): Promise<void>;
  /** Teaches these children so many lessons a week, until it is changed. */
  setLessons(name: ChildName, perWeek: number): void;
  /** Gives the lessons in place of the teacher. */
  setSubstitute(user: UserRow | undefined): void;
}

interface Alert {
  readonly alertId: string;
  readonly kind: string;
  readonly state: string;
  readonly dueOn: string | null;
  readonly stage: string;
  readonly closeReason: string | null;
}

interface Packet {
  readonly packetId: string;
  readonly status: string;
  readonly toTier: number | null;
  readonly deferUntil: string | null;
  readonly recommendation: { readonly decision: string } | null;
}

interface Plan {
  readonly assignmentId: string;
  readonly bundle_id: string;
  readonly state: string;
  readonly endsOn: string | null;
  readonly sessionsPerWeek: number;
  readonly completionResult: string | null;
  readonly reasonCode: string | null;
  readonly providerUserId: number;
}

/** The turn of the school year, the roll-over, and the first measurements of the next one. */
export const nextYear = { turnsOn: '2026-08-01', beginsOn: '2026-08-30', measuredOn: '2026-09-06' } as const;

/** Words read correctly in a minute. */
const fallingReadings = [
  ...([
    ['2025-09-10', 32],
    ['2025-09-11', 30],
    ['2025-09-15', 31],
    ['2025-09-24', 29],
  ] as const),
  ...([
    ['2025-10-01', 27],
    ['2025-10-08', 26],
    ['2025-10-15', 25],
  ] as const),
] as const;
const risingReadings = [
  ...([
    ['2025-11-12', 28],
    ['2025-11-19', 33],
    ['2025-12-03', 38],
  ] as const),
  ...([
    ['2025-12-10', 43],
    ['2025-12-17', 48],
  ] as const),
] as const;

export const decodingAndLanguage = { DEC_WORD: 'all', LIS_LITERAL: 'all' } as const;
export const partOfDecoding = { DEC_SYLLABLE: 'half' } as const;
export const partOfLanguage = { LIS_LITERAL: 'half' } as const;

const rti = ({ id }: UserRow) => `/api/rti/students/${id}`;
const packetsPath = '/api/decision-packet-workflows';

export function storiesOf(parts: YearParts): Readonly<Record<string, () => Story>> {
  const { owner, school, hands, days, setLessons, setSubstitute, setHolidays } = parts;
  const { organizationId, children, teacher, otherTeacher, admin, classRow, otherClass } = school;
  const [opener, approver] = school.specialists;
  const on = (date: string) => () => days.today() >= date;

  const status = (student: UserRow) =>
    hands.get<{ tier: number; openAlert: Alert | null; dismissedAlerts: Alert[] }>(admin, `${rti(student)}/status`);
  // Asked every day, so they are read as they are stored.
  const openAlert = ({ id: studentId }: UserRow): Promise<Pick<Alert, 'kind' | 'dueOn' | 'stage'> | undefined> =>
    owner('rti_alert').where({ organizationId, studentId, state: 'open' }).first('kind', 'dueOn', 'stage');
  const hasAlert = (student: UserRow, kind: string) => async () => (await openAlert(student))?.kind === kind;
  const hasNone = (student: UserRow) => async () => (await openAlert(student)) === undefined;
  const hasState = (id: string, state: string) => async () =>
    (await owner('bundle_assignment').where({ organizationId, id, state }).first('id')) !== undefined;

  /** Commits what is recommended. */
  async function decide(student: UserRow, expected: string): Promise<void> {
    const advice = await hands.get<{ recommendationId: string; decision: string }>(
      teacher,
      `${rti(student)}/recommendation`,
    );
    assert.is(advice.decision, expected);
    const { recommendationId, decision } = advice;
    await hands.post(teacher, `${rti(student)}/decisions`, { recommendationId, decision }, 201);
  }

  /** Activates the recommended bundle. Returns the id of the plan. */
  async function plan(student: UserRow, by = teacher): Promise<string> {
    const path = `/api/students/${student.id}/bundle-recommendation`;
    const advice = await hands.get<{ recommended_bundle_id: string }>(by, path);
    const body = { studentId: student.id, bundle_id: advice.recommended_bundle_id };
    return (await hands.post<Plan>(by, '/api/workflow/activate', body, 201)).assignmentId;
  }
  const planOf = (id: string) => hands.get<Plan>(admin, `/api/bundle-assignments/${id}`);

  const assemble = (by: UserRow, body: object, expected = 201) =>
    hands.post<Packet>(by, `${packetsPath}/assemble`, body, expected);
  const approve = ({ packetId }: Packet) => `${packetsPath}/${packetId}/approve`;

  /** From a weak start over tier 2 to tier 3, and its review. */
  async function* steep(): Story {
    const child = children.steep;
    yield on('2025-09-09');
    await decide(child, 'escalate');
    const first = await plan(child);
    setLessons('steep', 3);
    for (const [date, words] of fallingReadings) {
      yield on(date);
      await hands.read(teacher, child, words);
    }
    yield hasAlert(child, 'Intensive_Review');
    const packet = await assemble(opener, { studentId: child.id, reviewType: 'intensive_review' });
    const second = await assemble(teacher, { studentId: child.id, reviewType: 'tier_escalation' });
    // Two packets wait. The teacher leaves the class, and the approver's role is taken.
    const opened = days.today();
    const schoolDaysLater = (n: number) => on(days.schoolDay(opened, n));
    setLessons('steep', 2);
    yield schoolDaysLater(1);
    setSubstitute(admin);
    await hands.remove(admin, `/api/classes/${classRow.id}/teachers/${teacher.id}`);
    await hands.patch(admin, `/api/users/${approver.id}`, { seats: [] });
    assert.equal(await hands.refused(approver, approve(packet), { decision: 'escalate' }), [403, 'PERMISSION_DENIED']);
    yield schoolDaysLater(12);
    await hands.patch(admin, `/api/users/${approver.id}`, { seats: ['HIGH_INTENSITY_SPECIALIST'] });
    await hands.post(admin, `/api/classes/${classRow.id}/teachers`, { teacherUserId: teacher.id }, 201);
    setSubstitute(undefined);
    yield schoolDaysLater(13);
    // What has come since makes the evidence stale; to assemble it again moves no due day.
    await assemble(opener, { packetId: packet.packetId }, 200);
    const approved = await hands.post<Packet>(approver, approve(packet), { decision: 'escalate' });
    assert.equal([approved.status, approved.toTier], ['approved', 3]);
    await hands.post(teacher, `${packetsPath}/${second.packetId}/reject`, { reasonCode: 'Duplicate_Review' });
    yield* intensified(child, first);
  }

  /** The plan of tier 2 is replaced on its last day, by the same bundle with more lessons in a smaller group. */
  async function* intensified(child: UserRow, first: string): Story {
    yield async () => (await planOf(first)).endsOn === days.today();
    const body = { assignmentId: first, action: 'replace', bundle_id: (await planOf(first)).bundle_id };
    const { superseded, assignment } = await hands.post<{ superseded: Plan; assignment: Plan }>(
      teacher,
      '/api/workflow/review',
      body,
    );
    assert.equal([superseded.state, assignment.state, assignment.sessionsPerWeek], ['superseded', 'active', 5]);
    setLessons('steep', 5);
    for (const [date, words] of risingReadings) {
      yield on(date);
      await hands.read(teacher, child, words);
    }
    yield hasState(assignment.assignmentId, 'completed');
    setLessons('steep', 0);
    await hands.measure(child, {}, { formCode: 'DIAG-G2-P1' });
    yield hasAlert(child, 'tier_review_due');
    yield* reviewed(child);
  }

  /** The review of tier 3 is deferred for four weeks, and decided then. */
  async function* reviewed(child: UserRow): Story {
    const packet = await assemble(opener, { studentId: child.id, reviewType: 'scheduled_tier_review' });
    const deferral = { decision: 'defer', deferralCode: 'Awaiting_Probes' };
    const reason = packet.recommendation?.decision === 'defer' ? {} : { overrideCode: 'Pkt_Team_Judgement_08' };
    const deferred = await hands.post<Packet>(approver, approve(packet), { ...deferral, ...reason });
    assert.equal([deferred.status, deferred.deferUntil], ['deferred', daysAfter(days.today(), 28)]);
    const [measuredAgain, dueAgain] = [14, 28].map((later) => daysAfter(days.today(), later));
    yield on(measuredAgain ?? '');
    await hands.measure(child, {}, { formCode: 'DIAG-G2-P1' });
    yield on(dueAgain ?? '');
    const path = `${packetsPath}/${packet.packetId}`;
    assert.is((await hands.get<Packet>(opener, path)).status, 'draft');
    const again = await assemble(opener, { packetId: packet.packetId }, 200);
    // What was weak is still to be watched (TRC-09 does not hold): nothing is recommended but to go on.
    assert.is(again.recommendation?.decision, 'maintain');
    const approved = await hands.post<Packet>(approver, approve(packet), { decision: 'maintain' });
    assert.equal([approved.status, approved.toTier, await openAlert(child)], ['approved', 3, undefined]);
  }

  /** Nobody does anything about this alert, until the next year's measurement clears it. */
  async function* ignored(): Story {
    const child = children.ignored;
    yield on('2025-09-16');
    assert.is((await status(child)).openAlert?.dueOn, '2025-09-21');
    // Two school days within the due period become holidays.
    await setHolidays((holidays) => [...holidays, '2025-09-17', '2025-09-18']);
    yield on('2025-09-22');
    const stageNow = async () => (await status(child)).openAlert?.stage;
    assert.equal([(await status(child)).openAlert?.dueOn, await stageNow()], ['2025-09-23', 'opened']);
    yield on('2025-09-23');
    assert.is(await stageNow(), 'reminder');
    yield on('2026-02-08');
    // The school is closed for three weeks.
    await setHolidays((holidays) => [...holidays, ...datesFrom('2026-02-08', '2026-02-26')]);
    yield on('2026-09-05');
    assert.is(await stageNow(), 'overdue');
    yield hasNone(child);
    assert.ok(days.today() >= nextYear.measuredOn);
  }

  /** A plan that is taught as planned, and a measurement after it. */
  async function* quick(): Story {
    const child = children.quick;
    yield on('2025-09-10');
    assert.is((await status(child)).openAlert?.kind, 'Skill_Alert');
    const assignmentId = await plan(child);
    setLessons('quick', 4);
    yield hasState(assignmentId, 'completed');
    setLessons('quick', 0);
    assert.is((await planOf(assignmentId)).completionResult, 'goals_met');
    await hands.measure(child, {}, { formCode: 'DIAG-G2-P1' });
    yield hasNone(child);
  }

  /** Dismissed on its due day, opened again, and decided when it was overdue. */
  async function* dismissed(): Story {
    const child = children.dismissed;
    yield async () => (await openAlert(child))?.dueOn === days.today();
    const alertId = (await status(child)).openAlert?.alertId;
    const reason = { overrideCode: 'Alr_Already_Addressed_06' };
    await hands.post(teacher, `/api/rti/alerts/${alertId}/dismiss`, reason);
    assert.is((await status(child)).dismissedAlerts.length, 1);
    yield hasAlert(child, 'Skill_Alert');
    const again = (await status(child)).openAlert;
    assert.equal([again?.alertId, again?.stage], [alertId, 'opened']);
    yield async () => (await openAlert(child))?.stage === 'overdue';
    await decide(child, 'maintain');
    assert.is((await status(child)).openAlert, null);
  }

  /** In tier 2 with a plan that nobody teaches; moved to the other class. */
  async function* untaught(): Story {
    const child = children.untaught;
    yield on('2025-09-10');
    await decide(child, 'escalate');
    const first = await plan(child);
    yield on('2025-11-03');
    await hands.post(admin, `/api/classes/${otherClass.id}/students`, { studentIds: [child.id] }, 201);
    yield on('2025-11-04');
    assert.is((await planOf(first)).providerUserId, otherTeacher.id);
    yield hasState(first, 'stopped');
    assert.is((await planOf(first)).reasonCode, 'Plan_Expired');
    // Its weeks pass over the summer.
    yield on('2026-05-24');
    const second = await plan(child, otherTeacher);
    const { endsOn } = await planOf(second);
    assert.ok(endsOn !== null && endsOn > '2026-09-01', `${endsOn}`);
    yield on('2026-09-10');
    assert.equal([(await planOf(second)).state, (await planOf(second)).endsOn], ['active', endsOn]);
  }

  /** Measured too little, and once more. */
  async function* halted(): Story {
    yield on('2025-10-19');
    await hands.measure(children.halted, {}, { formCode: 'DIAG-G2-P2' });
  }

  async function* unmeasured(): Story {
    yield on('2026-01-18');
    await hands.measure(children.unmeasured, {});
  }

  return { steep, ignored, quick, dismissed, untaught, halted, unmeasured };
}
