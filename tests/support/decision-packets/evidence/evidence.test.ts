// Evidence of a student: every type with its value, in order of time, in pages that neither repeat nor omit items.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EvidenceType, evidenceTypes } from '#support/decision-packets/evidence/types.ts';
import { teacher } from '../../../assessment/measurement/fluency/teacher.ts';
import type { Student } from '../../../assessment/skill-status/shell.ts';
import { signIn, type UserRow } from '../../../harness/factories.ts';
import { insertAssignment } from '../../interventions/assignment-rows.ts';
import { decodingNeed, type Room, useClassroom } from '../../interventions/classroom.ts';
import { factsOf } from '../rows.ts';

const test = suite('evidence of a student');
const classroom = useClassroom(test);
const { app } = classroom;
const { owner } = app.database;

interface Item {
  readonly evidenceId: string;
  readonly type: EvidenceType;
  readonly refId: string;
  readonly occurredAt: string;
  readonly subSkillCode: string | null;
  readonly domainCode: string | null;
  readonly measure: string | null;
  readonly valueCode: string;
  readonly ruleVersion: string | null;
}
interface List {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

let room: Room;
let student: UserRow;
let planId: string;
let observationNo: number;

/** A student with at least one fact of every type. */
test.before(async () => {
  room = await classroom.room();
  student = await classroom.student(room);
  await classroom.measure([student], decodingNeed);
  const hands = teacher(app, room.teacher);
  const days = ['2026-01-04', '2026-01-05', '2026-01-06', '2026-01-14'];
  for (const [at, administeredOn] of days.entries()) {
    const passage = { passageId: `ORF-G2-0${at + 1}`, administeredOn };
    const reply = await hands.probe({
      ...{ ...passage, studentId: student.id, wordsAttempted: 14, errors: 0, elapsedSeconds: 60 },
    });
    assert.is(reply.status, 201, JSON.stringify(reply.body));
  }
  const facts = factsOf(owner, student as Student);
  await facts.support();
  const goal = { minScored: 6, minRate: 0.8 };
  const steps = [
    { stepNo: 1, goal: null, goalState: 'none' },
    { stepNo: 2, goal, goalState: 'met' },
    { stepNo: 3, goal, goalState: 'pending' },
  ];
  planId = await insertAssignment(owner, { ...student, classRow: room.classRow } as Student, 'BND-DECODE-01', {
    ...{ steps: JSON.stringify(steps), currentStepNo: 3, ruleVersions: JSON.stringify({ 'bundle/recommendation': 2 }) },
  });
  await facts.delivery(planId, '2026-01-07', 2);
  await facts.delivery(planId, '2026-01-08', 2);
  await facts.fidelity(planId, '2026-01-12T09:00:00.000Z');
  await facts.movement(1, 2, '2026-01-04');
  await facts.skillState('DEC_WORD', '2026-01-13T09:00:00.000Z');
  await facts.alert('2026-01-13T09:00:00.000Z');
  await facts.flag('2026-01-11');
  observationNo = await facts.observation(room.classRow.id, 'hesitated_often', '2026-01-12T10:00:00.000Z');
});

const read = async (query = '') => {
  const token = await signIn(app, room.teacher);
  return classroom.http.get<List>(`/api/students/${student.id}/data-room/evidence${query}`, { token });
};
const itemsOf = async (query: string) => (await read(query)).body.items;
const only = async (type: EvidenceType) => {
  const items = await itemsOf(`?type=${type}&limit=100`);
  assert.ok(items.every((item) => item.type === type && item.evidenceId === `${type}:${item.refId}`));
  return items.map(({ occurredAt, subSkillCode, domainCode, measure, valueCode, ruleVersion }) => [
    ...[occurredAt, subSkillCode, domainCode, measure, valueCode, ruleVersion],
  ]);
};

/** Midnight in Riyadh is 21:00 of the day before. */
const midnight = (day: string): string => `${day}T21:00:00.000Z`;

test('each type has its value, time, subject and rules', async () => {
  assert.equal(await only('assignment'), [
    ['2026-01-04T08:00:00.000Z', 'DEC_WORD', 'DEC', null, 'active', 'bundle/recommendation@2'],
  ]);
  assert.equal(await only('step_goal'), [[midnight('2026-01-07'), 'DEC_WORD', 'DEC', null, 'met', null]]);
  assert.is((await itemsOf('?type=step_goal'))[0]?.refId, `${planId}:2`);
  assert.equal(await only('fidelity_snapshot'), [
    ['2026-01-12T09:00:00.000Z', null, null, null, 'fail', 'fidelity/gate@1'],
  ]);
  assert.equal(await only('tier_movement'), [
    [midnight('2026-01-03'), null, null, null, '1_2', 'rti/tier-recommendation@3'],
  ]);
  assert.equal(await only('skill_state'), [
    ['2026-01-13T09:00:00.000Z', 'DEC_WORD', 'DEC', null, 'monitoring', 'rti/skill-state@2'],
  ]);
  assert.equal(await only('alert'), [
    ['2026-01-13T09:00:00.000Z', 'DEC_WORD', 'DEC', null, 'Skill_Alert', 'rti/alerts@1'],
  ]);
  assert.equal(await only('context_flag'), [
    [midnight('2026-01-10'), null, null, null, 'long_absence', 'language/context-flags@1'],
  ]);
  assert.equal(await only('observation'), [
    ['2026-01-12T10:00:00.000Z', 'DEC_WORD', 'DEC', null, 'hesitated_often', null],
  ]);
  assert.is((await itemsOf('?type=observation'))[0]?.refId, String(observationNo));
});

test('statuses of sub-skills and domains, probes with the part that they play, and the trend after each', async () => {
  const skills = await only('sse_snapshot');
  const word = skills.find(([, subSkill]) => subSkill === 'DEC_WORD');
  assert.equal(word?.slice(1), ['DEC_WORD', 'DEC', null, 'weak_gateway', 'SSR@1']);
  const domains = await only('domain_status');
  assert.ok(domains.some(([, subSkill, domain]) => subSkill === null && domain === 'DEC'));
  assert.ok(domains.every(([, , , , value]) => value !== ''));
  const probes = await only('cbm_probe');
  assert.equal(probes, [
    [midnight('2026-01-13'), null, null, 'ORF_WCPM', 'monitoring', null],
    [midnight('2026-01-05'), null, null, 'ORF_WCPM', 'baseline', null],
    [midnight('2026-01-04'), null, null, 'ORF_WCPM', 'baseline', null],
    [midnight('2026-01-03'), null, null, 'ORF_WCPM', 'baseline', null],
  ]);
  const trends = await only('cbm_trend');
  assert.equal(
    trends.map(([at, , , measure, value]) => [at, measure, value]),
    probes.map(([at, , , measure]) => [at, measure, 'insufficient_points']),
  );
});

const latestFirst = (one: Item, other: Item): number => {
  if (one.occurredAt !== other.occurredAt) return one.occurredAt < other.occurredAt ? 1 : -1;
  return one.evidenceId < other.evidenceId ? 1 : -1;
};

test('newest first, ties by id; pages of any size neither repeat nor leave out', async () => {
  const all = await itemsOf('?limit=100');
  assert.equal([...all].sort(latestFirst), [...all]);
  assert.equal([...new Set(all.map(({ type }) => type))].sort(), [...evidenceTypes].sort());
  for (const limit of [1, 3, 7]) {
    const found: Item[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await read(`?limit=${limit}${cursor}`);
      found.push(...body.items);
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    assert.equal(found, [...all], String(limit));
  }
});

test('filters by day, both included, and by sub-skill, alone and together', async () => {
  const all = await itemsOf('?limit=100');
  const ids = async (query: string) => (await itemsOf(`?limit=100&${query}`)).map(({ evidenceId }) => evidenceId);
  const where = (is: (item: Item) => boolean) => all.filter(is).map(({ evidenceId }) => evidenceId);
  assert.equal(
    await ids('from=2026-01-11&to=2026-01-13'),
    where(({ occurredAt }) => occurredAt >= midnight('2026-01-10') && occurredAt < midnight('2026-01-13')),
  );
  assert.equal((await ids('from=2026-01-11&to=2026-01-13')).length, 5);
  assert.equal(
    await ids('subSkillCode=DEC_WORD'),
    where(({ subSkillCode }) => subSkillCode === 'DEC_WORD'),
  );
  assert.equal((await ids('subSkillCode=DEC_WORD&type=alert&to=2026-01-12')).length, 0);
  assert.equal(
    await ids('from=0000-01-01&to=9999-12-31'),
    where(() => true),
  );
  for (const query of ['?type=gossip', '?from=yesterday', '?cursor=x', '?limit=0', '?more=1', '?subSkillCode=NONE']) {
    assert.is((await read(query)).status, 422, query);
  }
});

test('another student of the class has none of it', async () => {
  const other = await classroom.student(room);
  const token = await signIn(app, room.teacher);
  const { body } = await classroom.http.get<List>(`/api/students/${other.id}/data-room/evidence`, { token });
  assert.equal(body, { items: [], nextCursor: null });
});

test.run();
