// What the rules find in a blueprint (BPV): all that hold, each with the places of the facts that it asks about.
import { compileCatalogue, compileRoles } from '#rules/catalogue/engine/index.ts';
import { allHits, type Condition, leavesOf, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { compileBundles, isAssignable } from '#support/interventions/engine/index.ts';
import { type BlueprintQuestion, type BlueprintWorld, checkedFacts } from './facts.ts';

export const findingLevels = ['error', 'warning'] as const;
export type FindingLevel = (typeof findingLevels)[number];

export const findingIssues = [
  'bundle_not_usable',
  'step_mismatch',
  'not_offered',
  'target_mismatch',
  'segments_mismatch',
  'item_refs_mismatch',
  'options_mismatch',
  'too_few_check_items',
  'language_unsafe',
  'code_repeated',
  'same_as_published',
  'item_off_target',
] as const;
export type FindingIssue = (typeof findingIssues)[number];

export interface BlueprintFinding {
  readonly ruleId: string;
  readonly level: FindingLevel;
  /** Dotted path in the blueprint; empty: the blueprint itself. */
  readonly path: string;
  readonly issue: FindingIssue;
}

type BlueprintRules = (question: BlueprintQuestion) => BlueprintFinding[];

const name = 'bundle/blueprint-validation';

/** Throws BundleError when a document is missing, RangeError when it says words that are not known. */
export function compileBlueprints(bundle: RuleBundle): BlueprintRules {
  const catalogue = compileCatalogue(bundle);
  const world: BlueprintWorld = {
    bundles: compileBundles(bundle),
    catalogue,
    roles: compileRoles(bundle, catalogue),
    isAssignable: ({ objectType }) => isAssignable(objectType),
  };
  const table = bundle.table(name);
  const factsOf = new Map(table.document.rules.map((rule) => [rule.name, factsIn(rule.conditions)]));
  const ask = allHits(table, (answer) => ({
    ruleId: answer.ruleId,
    level: answer.word('outcome', findingLevels),
    issue: answer.word('issue', findingIssues),
  }));
  return (question) => {
    const { facts, places } = checkedFacts(question, world);
    return ask(facts).flatMap((hit) => {
      const found = [...(factsOf.get(hit.ruleId) ?? [])].flatMap((fact) => places[fact] ?? []);
      return (found.length > 0 ? found : ['']).map((path) => ({ ...hit, path }));
    });
  };
}

const factsIn = (conditions: Condition): ReadonlySet<string> => new Set(leavesOf(conditions).map(({ fact }) => fact));
