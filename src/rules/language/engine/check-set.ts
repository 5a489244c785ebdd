// Checks of a language set beyond its schema before it may be in force: patterns that compile, replacements that pass,
// and the cases of this and all earlier versions.
import { errorFinding, type Finding, type ValueQuestion } from '../../rulesets/engine/index.ts';
import { type Checked, matcherOf } from './matcher.ts';
import { compilePattern } from './patterns/pattern-finder.ts';
import { PatternError } from './patterns/syntax.ts';
import { holdsWord } from './phrases/dictionary.ts';
import { appliesToTier, type LanguageRule, type SetName, type Tier, tiersOfSet } from './rules.ts';

export interface LanguageCase {
  readonly name: string;
  readonly text: string;
  readonly tier: Tier;
  readonly safe: boolean;
  readonly rewritten: string | null;
}

/** Returns the findings of a set. The function is pure; `document` has passed the schema of sets. */
export function setFindings({ document, cases }: ValueQuestion): readonly Finding[] {
  const rules = document.entries as readonly LanguageRule[];
  const tiers = tiersOfSet[`language/${document.meta.key}` as SetName] as readonly Tier[];
  const early = [...repeatedIds(rules), ...rules.flatMap(ruleFindings)];
  if (early.length > 0) return early;
  const check = checks(rules);
  return [
    ...rules.flatMap((rule) => replacementFindings(rule, tiers, check)),
    ...cases.flatMap((one) => caseFindings(one, tiers, check)),
  ];
}

type Check = (text: string, tier: Tier) => Checked;

/** Returns a check that compiles the rules of each tier once. */
export function checks(rules: readonly LanguageRule[]): Check {
  const matchers = new Map<Tier, ReturnType<typeof matcherOf>>();
  return (text, tier) => {
    const matcher = matchers.get(tier) ?? matcherOf(rules, tier);
    matchers.set(tier, matcher);
    return matcher(text);
  };
}

function repeatedIds(rules: readonly LanguageRule[]): Finding[] {
  const ids = rules.map(({ id }) => id);
  return ids.filter((id, at) => ids.indexOf(id) < at).map((id) => errorFinding('SCHEMA', 'id_twice', {}, id));
}

/** Returns the findings of one rule by itself. */
export function ruleFindings({ id, match, action, replacementAr, exact = false }: LanguageRule): Finding[] {
  const isComplete = (action === 'rewrite') === (replacementAr !== undefined);
  const alone = isComplete ? [] : [errorFinding('SCHEMA', 'replacement_misplaced', {}, id)];
  if ('pattern' in match) return [...alone, ...patternFindings(id, match.pattern, exact)];
  const empty = match.phrases.filter((phrase) => !holdsWord(phrase, exact));
  return [...alone, ...empty.map((phrase) => errorFinding('SCHEMA', 'phrase_wordless', { phrase }, id))];
}

function patternFindings(id: string, pattern: string, isExact: boolean): Finding[] {
  try {
    compilePattern(pattern, isExact);
    return [];
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return [errorFinding('SCHEMA', 'pattern_invalid', { problem: error.message }, id)];
  }
}

/** A replacement must pass the filter in every tier to which its rule applies. */
function replacementFindings(rule: LanguageRule, tiers: readonly Tier[], check: Check): Finding[] {
  const { id, replacementAr } = rule;
  if (replacementAr === undefined) return [];
  return tiers
    .filter((tier) => appliesToTier(rule, tier) && !check(replacementAr, tier).safe)
    .map((tier) => errorFinding('LANGUAGE_UNSAFE', 'replacement', { tier }, id));
}

const members = ['name', 'text', 'tier', 'safe', 'rewritten', 'acceptedChange'];

function caseFindings(one: ValueQuestion['cases'][number], tiers: readonly Tier[], check: Check): Finding[] {
  if (!isLanguageCase(one)) {
    const held = 'name, text, tier, safe and rewritten';
    return [errorFinding('CASE_FAILED', 'members', { case: one.name, members: held })];
  }
  const { name, text, tier, safe, rewritten } = one;
  if (!tiers.includes(tier)) return [errorFinding('CASE_FAILED', 'foreign_tier', { case: name, tier })];
  const result = check(text, tier);
  if (result.safe === safe && result.rewritten === rewritten) return [];
  const ids = [...new Set(result.violations.map(({ ruleId }) => ruleId))];
  const passed = safe ? 'never_rewritten' : 'should_be_caught';
  if (result.safe) return [errorFinding('CASE_FAILED', passed, { case: name })];
  const caught = safe ? 'should_pass' : 'rewritten_otherwise';
  return [errorFinding('CASE_FAILED', caught, { case: name, rewritten: result.rewritten }, ...ids)];
}

function isLanguageCase(value: object): value is LanguageCase {
  const one = value as Partial<Record<keyof LanguageCase, unknown>>;
  return (
    Object.keys(value).every((member) => members.includes(member)) &&
    [one.name, one.text, one.tier].every((member) => typeof member === 'string') &&
    typeof one.safe === 'boolean' &&
    (one.rewritten === null || typeof one.rewritten === 'string')
  );
}
