// New rows of sub-skills: by changed results, and by new measurements.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { evaluateStudent } from '#assessment/skill-status/engine/evaluate.ts';
import { responseCodes, unitCodes } from '#assessment/skill-status/engine/vocabulary.ts';
import { newSkills, type SkillMark } from '#assessment/skill-status/results/changes.ts';
import type { SkillContent } from '#assessment/skill-status/results/rows.ts';
import { appendedRows } from '#assessment/skill-status/simulate/appends.ts';
import { pipeline } from '../engine/rules.ts';
import { input } from '../engine/students.ts';
import { bundle } from '../evidence.ts';

const before: SkillMark = {
  ...{ subSkillCode: 'LK_SOUND', newestUnitRef: 'queue/LK_SOUND-18', codeCounts: { CORRECT_SECURE: 3 } },
  ...{ outcome: 'decided', status: 'adequate', confidence: 'low', decisionStrength: 'tentative', modifiers: [] },
};

/** A row is compared by its mark; other columns are not read. */
const isNew = (changes: Partial<SkillMark>): boolean =>
  newSkills([{ ...before, ...changes } as SkillContent], [before]).length > 0;

test('an equal row is not new; a first one, another reference and another status are', () => {
  assert.is(isNew({}), false);
  assert.is(newSkills([before as SkillContent], []).length, 1);
  assert.is(isNew({ newestUnitRef: 'queue/LK_SOUND-19' }), true);
  assert.is(isNew({ status: 'monitor' }), true);
});

test('a new unit with an item id before the newest one is a new measurement', () => {
  assert.is(isNew({ codeCounts: { CORRECT_SECURE: 4 } }), true);
  assert.is(isNew({ codeCounts: { CORRECT_SECURE: 3, ERROR_UNSPECIFIC: 1 } }), true);
});

test('a response without a unit gives no row; a unit that no longer counts does, so that the newest row is current', () => {
  assert.is(isNew({ codeCounts: { CORRECT_SECURE: 3, NO_RESPONSE: 2, REPEAT_NOT_COUNTED: 1 } }), false);
  assert.is(isNew({ codeCounts: { CORRECT_SECURE: 2, VOID_NOT_ANALYSABLE: 1 } }), true);
  assert.is(isNew({ codeCounts: { CORRECT_SECURE: 2, CORRECT_SLOW: 1 } }), false);
});

test('a simulation counts these rows too: one for a unit more or less', () => {
  const whole = input({ evidence: { LK_SOUND: 'p10 CCCCC' } });
  const withoutOne = { ...whole, responses: whole.responses.filter((_response, at) => at !== 1) };
  const [more, fewer] = [evaluateStudent(whole, pipeline), evaluateStudent(withoutOne, pipeline)];
  assert.equal(appendedRows(fewer, more), { skills: 1, domains: 1 });
  assert.equal(appendedRows(more, fewer), { skills: 1, domains: 1 });
  assert.equal(appendedRows(more, more), { skills: 0, domains: 0 });
});

test('codes of units are those that ADR scores', () => {
  const { rules } = bundle.table('adr/adr').document;
  const scored = rules.filter(({ event }) => event.params.scored).map(({ event }) => event.params.outcome);
  assert.equal(
    responseCodes.filter((code) => unitCodes.has(code)),
    responseCodes.filter((code) => scored.includes(code)),
  );
});

test.run();
