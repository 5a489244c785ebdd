// Puts facts of mastery to the rules of rewards, from stdin to stdout: `{cases: [{calendar, rules?, facts}]}` gives a list of
// answers, one bare case its answer. No database, no clock.
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { capabilities } from '#app/capabilities.ts';
import { shapeOf } from '#core/platform/pure/json-schema.ts';
import { rewardFindings } from '#outcomes/rewards/engine/check-document.ts';
import { type EvaluatedCalendar, type EvaluatedFact, evaluate } from '#outcomes/rewards/engine/evaluate.ts';
import { compileRewards, type RewardRules, type RewardsDocument, rewardRules } from '#outcomes/rewards/engine/rules.ts';
import { masterySourceKinds } from '#outcomes/rewards/engine/vocabulary.ts';
import { documentValidators } from '#rules/rulesets/document-schemas.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { checkRuleText, isError } from '#rules/rulesets/index.ts';

interface Case {
  readonly calendar?: EvaluatedCalendar;
  /** A document of rewards. Default: the newest shipped one. */
  readonly rules?: RewardsDocument;
  readonly facts: readonly (EvaluatedFact & { readonly studentId?: number })[];
}

const word = { type: 'string', minLength: 1 };
const date = { type: 'string', format: 'date' };

/** Rows of `mastery_event` are facts too: what they hold beyond this is not read. */
const fact = {
  type: 'object',
  required: ['sourceKind', 'naturalKey', 'sessionKey'],
  anyOf: [{ required: ['localDate'] }, { required: ['occurredAt'] }],
  properties: {
    sourceKind: { enum: [...masterySourceKinds] },
    ...{ naturalKey: word, sessionKey: word, localDate: date },
    occurredAt: { type: 'string', format: 'date-time' },
    missedSchoolDays: { type: 'integer', minimum: 0 },
    studentId: { type: 'integer', minimum: 1 },
    ...{ subSkillCode: { type: ['string', 'null'] }, domainCode: { type: ['string', 'null'] } },
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

try {
  const value = JSON.parse(await text(process.stdin)) as { readonly cases?: unknown } | null;
  const { cases } = value ?? {};
  const read = Array.isArray(cases)
    ? cases.map((one, at) => readCase(one, `input/cases/${at}`))
    : [readCase(value, 'input')];
  const shipped = read.some(({ rules }) => rules === undefined) ? await shippedRules() : undefined;
  const all = read.map(({ days, rules, facts }) => evaluate(rules ?? (shipped as RewardRules), days, facts));
  process.stdout.write(`${JSON.stringify(Array.isArray(cases) ? all : all[0])}\n`);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(`rewards:eval: ${message.replaceAll(/\s+/g, ' ')}`);
  process.exitCode = 1;
}

/** Throws RangeError for a document that may not be in force, and for facts of several students. */
function readCase(one: unknown, at: string) {
  const { calendar: days = {}, rules, facts } = caseOf(one, at);
  const students = new Set(facts.map(({ studentId }) => studentId));
  if (students.size > 1) throw new RangeError(`${at}/facts: are of more than one student`);
  return { days, facts, rules: rules === undefined ? undefined : checkedRules(rules, at) };
}

async function shippedRules(): Promise<RewardRules> {
  return rewardRules(await loadNewestBundle(path.resolve(import.meta.dirname, '../../rules')));
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
