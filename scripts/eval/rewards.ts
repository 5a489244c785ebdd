// Evaluates the rules of rewards for facts of mastery. `{cases: [{calendar, rules?, facts}]}` returns a list of results, a
// single case its result.
import { capabilities } from '#app/capabilities.ts';
import { shapeOf } from '#core/platform/pure/json-schema.ts';
import { rewardFindings } from '#outcomes/rewards/engine/check-document.ts';
import { masterySourceKinds } from '#outcomes/rewards/engine/enums.ts';
import {
  type EvaluatedCalendar,
  type EvaluatedFact,
  evaluateRewards as evaluateFacts,
} from '#outcomes/rewards/engine/evaluate.ts';
import { compileRewards, type RewardRules, type RewardsDocument, rewardRules } from '#outcomes/rewards/engine/rules.ts';
import { documentValidators } from '#rules/rulesets/document-schemas.ts';
import { checkRuleText, isError } from '#rules/rulesets/index.ts';
import { newestRules } from './input.ts';

interface Case {
  readonly calendar?: EvaluatedCalendar;
  /** A rewards document. Default: the newest shipped one. */
  readonly rules?: RewardsDocument;
  readonly facts: readonly (EvaluatedFact & { readonly studentId?: number })[];
}

const word = { type: 'string', minLength: 1 };
const date = { type: 'string', format: 'date' };

/** Rows of `mastery_event` are facts too; their other members are ignored. */
const fact = {
  type: 'object',
  required: ['sourceKind', 'naturalKey', 'sessionKey'],
  anyOf: [{ required: ['localDate'] }, { required: ['occurredAt'] }],
  properties: {
    sourceKind: { enum: [...masterySourceKinds] },
    naturalKey: word,
    sessionKey: word,
    localDate: date,
    occurredAt: { type: 'string', format: 'date-time' },
    missedSchoolDays: { type: 'integer', minimum: 0 },
    studentId: { type: 'integer', minimum: 1 },
    subSkillCode: { type: ['string', 'null'] },
    domainCode: { type: ['string', 'null'] },
  },
};

const calendar = {
  type: 'object',
  additionalProperties: false,
  properties: {
    weekend: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 7 } },
    holidays: { type: 'array', items: date },
    timeZone: { type: 'string', format: 'iana-time-zone' },
    asOf: date,
  },
};

const caseOf = shapeOf<Case>({
  type: 'object',
  required: ['facts'],
  additionalProperties: false,
  properties: { name: {}, calendar, rules: { type: 'object' }, facts: { type: 'array', items: fact } },
});

export async function evaluate(input: unknown) {
  const { cases } = (input ?? {}) as { readonly cases?: unknown };
  const read = Array.isArray(cases)
    ? cases.map((one, at) => readCase(one, `input/cases/${at}`))
    : [readCase(input, 'input')];
  const shipped = read.some(({ rules }) => rules === undefined) ? rewardRules(await newestRules()) : undefined;
  const all = read.map(({ days, rules, facts }) => evaluateFacts(rules ?? (shipped as RewardRules), days, facts));
  return Array.isArray(cases) ? all : all[0];
}

/** Throws RangeError for an invalid document, and for facts of several students. */
function readCase(one: unknown, at: string) {
  const { calendar: days = {}, rules, facts } = caseOf(one, at);
  const students = new Set(facts.map(({ studentId }) => studentId));
  if (students.size > 1) throw new RangeError(`${at}/facts: are of more than one student`);
  return { days, facts, rules: rules === undefined ? undefined : checkedRules(rules, at) };
}

function checkedRules(document: RewardsDocument, at: string): RewardRules {
  const [first] = [
    ...checkRuleText(JSON.stringify(document), documentValidators(capabilities)).filter(isError),
    ...('badges' in document ? [] : [{ message: 'is no document of rewards' }]),
  ];
  const [found] = first ? [first] : rewardFindings({ document, cases: [] });
  if (found) throw new RangeError(`${at}/rules: ${found.message}`);
  return compileRewards(document);
}
