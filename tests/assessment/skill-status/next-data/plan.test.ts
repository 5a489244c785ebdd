// The plan by its definitions: needs, coverage, order, and packing into sessions.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadItemBank } from '#assessment/content/items/files.ts';
import { formsOfGrade } from '#assessment/measurement/diagnostics/engine/forms.ts';
import { readMeasurementValues } from '#assessment/measurement/scoring/engine/values.ts';
import type { Halt } from '#assessment/skill-status/next-data/engine/needs.ts';
import { minutesFrom, type PlannedAction, secondsOfAll } from '#assessment/skill-status/next-data/engine/plan.ts';
import { packSessions } from '#assessment/skill-status/next-data/engine/sessions.ts';
import { planFor, type StudentFacts } from '#assessment/skill-status/next-data/engine/student-plan.ts';
import { compileRoles } from '#rules/catalogue/index.ts';
import { bundle, pipeline } from '../engine/rules.ts';

const values = readMeasurementValues(bundle);
const bank = await loadItemBank('rules', 1);
const { catalogue } = pipeline;
const formsOf = (grade: number) => formsOfGrade(grade, catalogue.subSkills, values);
const roles = compileRoles(bundle, catalogue);
const rules = { catalogue, roles, bank, needLimits: pipeline.thresholds, selectionLimits: values, formsOf };

const everyDomain = new Set(catalogue.domains.map(({ code }) => code));
const facts = (changes: Partial<StudentFacts> = {}): StudentFacts => ({
  grade: 2,
  halts: [],
  decidedDomains: everyDomain,
  seenItemIds: new Set(),
  ...changes,
});
const lacking = (subSkillCode: string, distinctItems: number): Halt => ({
  subSkillCode,
  reason: 'INSUFFICIENT_ITEMS',
  action: 'administer_more_items',
  distinctItems,
});
const divided = (subSkillCode: string, action: Halt['action'] = 'repeat_diagnostic'): Halt => ({
  subSkillCode,
  reason: 'CONFLICTING_EVIDENCE',
  action,
  distinctItems: 10,
});
const secondsPerItem = (subSkillCode: string) => bank.cell(subSkillCode, 'G12')[0]?.expectedSeconds ?? 0;

test('nothing halted and every role filled: nothing to do', () => {
  assert.equal(planFor(facts(), rules), { actions: [], uncovered: [] });
});

test('DTH-MIN-01: one item short of four is one item of the part that holds the sub-skill', () => {
  const { actions, uncovered } = planFor(facts({ halts: [lacking('LK_SOUND', 3)] }), rules);
  assert.equal(uncovered, []);
  assert.equal(actions, [
    {
      action: 'administer_more_items',
      subSkillCodes: ['LK_SOUND'],
      formCode: 'DIAG-G2-P1',
      itemsNeeded: 1,
      seconds: secondsPerItem('LK_SOUND'),
      ends: [{ subSkillCode: 'LK_SOUND', reason: 'INSUFFICIENT_ITEMS' }],
    },
  ]);
});

test('DTH-CNF-03: conflicting evidence takes two units of a new session', () => {
  const [action] = planFor(facts({ halts: [divided('DEC_WORD')] }), rules).actions;
  assert.is(action?.itemsNeeded, 2);
  assert.is(action?.action, 'repeat_diagnostic');
});

test('text fluency takes one minute of oral reading, and no form', () => {
  const [action] = planFor(facts({ halts: [divided('FLU_TEXT', 'administer_orf')] }), rules).actions;
  assert.is(action?.formCode, null);
  assert.is(action?.action, 'administer_orf');
  assert.is(minutesFrom(action?.seconds ?? 0), 1);
});

test('sub-skills of one part are one action, named after the first in catalogue order', () => {
  const halts = [lacking('VOC_MEANING', 2), divided('LK_SOUND')];
  const { actions } = planFor(facts({ halts }), rules);
  assert.is(actions.length, 1);
  assert.equal(actions[0]?.subSkillCodes, ['LK_SOUND', 'VOC_MEANING']);
  assert.is(actions[0]?.action, 'repeat_diagnostic');
  assert.is(actions[0]?.itemsNeeded, 4);
});

test('the part that ends most halts a minute comes first', () => {
  const far = formsOf(2)[1]?.subSkills[0] ?? '';
  const halts = [lacking(far, 0), lacking('LK_SOUND', 3), lacking('DEC_WORD', 3)];
  const { actions } = planFor(facts({ halts }), rules);
  assert.equal(
    actions.map(({ formCode }) => formCode),
    ['DIAG-G2-P1', 'DIAG-G2-P2'],
  );
});

test('a student without evidence is planned the required roles of the grade: one sub-skill each', () => {
  const planned = (grade: number) =>
    planFor(facts({ grade, decidedDomains: new Set() }), rules).actions.flatMap(({ subSkillCodes }) => subSkillCodes);
  const domainsOf = (codes: readonly string[]) => codes.map((code) => catalogue.byCode.get(code)?.domain);
  assert.equal(domainsOf(planned(1)), ['PA', 'LK', 'DEC', 'LIS']);
  assert.equal(domainsOf(planned(2)), ['LK', 'DEC', 'LIS', 'RC']);
  assert.equal(domainsOf(planned(3)), ['DEC', 'LIS', 'RC']);
  assert.equal(domainsOf(planned(4)), ['DEC', 'LIS', 'RC']);
});

test('the settings define the required roles of a grade; the first part that measures a role fills it', () => {
  const requiring = (role: string, grade: number) => ({
    ...rules,
    roles: {
      ...roles,
      roles: roles.roles.map((one) => (one.code === role ? { ...one, requiredGrades: new Set([grade]) } : one)),
    },
  });
  const plannedFor = (given: typeof rules) =>
    planFor(facts({ decidedDomains: new Set() }), given).actions.map(({ formCode, subSkillCodes }) => ({
      formCode,
      domains: subSkillCodes.map((code) => catalogue.byCode.get(code)?.domain),
    }));
  const withSpelling = plannedFor(requiring('ENCODE', 2));
  assert.ok(withSpelling.some(({ formCode, domains }) => formCode !== 'DIAG-G2-P1' && domains.includes('SPL')));
  assert.not.ok(plannedFor(requiring('LETTER', 1)).some(({ domains }) => domains.includes('LK')));
});

test('LANGUAGE is filled by either of its domains, and a halt in it covers it', () => {
  const decided = (...missing: string[]) => new Set([...everyDomain].filter((code) => !missing.includes(code)));
  assert.equal(planFor(facts({ decidedDomains: decided('LIS') }), rules).actions, []);
  assert.is(
    planFor(facts({ decidedDomains: decided('LIS', 'VOC') }), rules).actions[0]?.ends[0]?.reason,
    'REQUIRED_ROLE',
  );
  const halts = [lacking('VOC_MEANING', 1)];
  const { actions } = planFor(facts({ decidedDomains: decided('LIS', 'VOC'), halts }), rules);
  assert.equal(
    actions.flatMap(({ ends }) => ends),
    [{ subSkillCode: 'VOC_MEANING', reason: 'INSUFFICIENT_ITEMS' }],
  );
});

test('a sub-skill that no part of the grade measures stays uncovered', () => {
  const { actions, uncovered } = planFor(facts({ halts: [divided('MOR_ROOT')] }), rules);
  assert.equal(actions, []);
  assert.equal(
    uncovered.map(({ subSkillCodes }) => subSkillCodes),
    [['MOR_ROOT']],
  );
});

const measured = formsOf(2).flatMap(({ subSkills }) => subSkills);
const anyHalts = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...measured), fc.integer({ min: 0, max: 3 })), {
    selector: ([code]) => code,
    maxLength: 12,
  })
  .map((list) => list.map(([code, items]) => lacking(code, items)));

test('every coverable halt is ended exactly once, whatever the order of the facts', () => {
  fc.assert(
    fc.property(anyHalts, (halts) => {
      const plan = planFor(facts({ halts }), rules);
      const ended = plan.actions.flatMap(({ ends }) => ends.map(({ subSkillCode }) => subSkillCode));
      assert.equal([...ended].sort(), halts.map(({ subSkillCode }) => subSkillCode).sort());
      assert.equal(planFor(facts({ halts: [...halts].reverse() }), rules), plan);
    }),
    { numRuns: 100 },
  );
});

const action = (minutes: number): PlannedAction => ({
  action: 'run_diagnostic',
  subSkillCodes: [],
  formCode: null,
  itemsNeeded: 1,
  seconds: minutes * 60,
  ends: [],
});
const plans = (...minutes: number[]) => minutes.map((one, at) => ({ studentId: at + 1, actions: [action(one)] }));
const shape = (...packed: Parameters<typeof packSessions>) =>
  packSessions(...packed).map(({ seconds, entries }) => [seconds / 60, entries.map(({ studentId }) => studentId)]);

test('first-fit decreasing: the longest first, ties to the lower student', () => {
  assert.equal(shape(plans(4, 10, 5, 4, 10), 15 * 60), [
    [15, [2, 3]],
    [14, [1, 5]],
    [4, [4]],
  ]);
  assert.equal(shape(plans(5, 5, 5), 10 * 60), [
    [10, [1, 2]],
    [5, [3]],
  ]);
});

test('a plan longer than a session is cut between its actions; a longer action has a session of its own', () => {
  const long = [{ studentId: 1, actions: [action(8), action(9)] }];
  assert.equal(shape(long, 15 * 60), [
    [9, [1]],
    [8, [1]],
  ]);
  assert.equal(shape(plans(20, 3), 15 * 60), [
    [20, [1]],
    [3, [2]],
  ]);
});

test('packing loses nothing, and only a single action may exceed the session', () => {
  const student = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(student, { maxLength: 12 }), fc.integer({ min: 5, max: 20 }), (students, length) => {
      const given = students.map((minutes, at) => ({ studentId: at + 1, actions: minutes.map(action) }));
      const sessions = packSessions(given, length * 60);
      for (const { studentId, actions } of given) {
        const held = sessions.flatMap(({ entries }) => entries.filter((entry) => entry.studentId === studentId));
        const times = (list: readonly PlannedAction[]) => list.map(({ seconds }) => seconds).sort((a, b) => a - b);
        assert.equal(times(held.flatMap((entry) => entry.actions)), times(actions));
      }
      for (const { seconds, entries } of sessions) {
        assert.is(seconds, secondsOfAll(entries.flatMap(({ actions }) => actions)));
        const alone = entries.length === 1 && entries[0]?.actions.length === 1;
        assert.ok(seconds <= length * 60 || alone);
        assert.is(new Set(entries.map(({ studentId }) => studentId)).size, entries.length);
      }
      assert.equal(packSessions([...given].reverse(), length * 60), sessions);
    }),
    { numRuns: 150 },
  );
});

test.run();
