// Checks of a decision table that JSON Schema cannot express.

import { leavesOf } from '../document/conditions.ts';
import type { FactValue, NumericFact, RootCondition, Rule, TableDocument } from '../document/document.ts';
import { errorFinding, type Finding, warningFinding } from '../document/findings.ts';
import { tableLimits } from '../document/table-limits.ts';
import { conditionFindings } from './condition-checks.ts';

/** Returns all errors of a table that has passed the schema. */
export function tableErrors(document: TableDocument): Finding[] {
  return [
    ...domainFindings(document),
    ...nameFindings(document),
    ...priorityFindings(document.rules),
    ...vocabularyFindings(document),
    ...document.rules.flatMap((rule) => ruleFindings(rule, document)),
    ...(document.constraints ?? []).flatMap(({ id, impossible }) => rootFindings(id, impossible, false, document)),
  ];
}

/** Returns warnings for the reviewer: thresholds without a name, missing texts. */
export function tableWarnings(document: TableDocument): Finding[] {
  return [...document.rules.flatMap(magicNumbers), ...document.rules.flatMap((rule) => missingMessage(rule, document))];
}

function domainFindings({ facts }: TableDocument): Finding[] {
  return Object.entries(facts).flatMap(([name, spec]) =>
    'min' in spec && !isDomain(spec) ? [errorFinding('FACT', 'no_domain', { fact: name })] : [],
  );
}

const isDomain = ({ type, min, max }: NumericFact): boolean =>
  Number.isFinite(min) &&
  Number.isFinite(max) &&
  min <= max &&
  (type === 'decimal' || (Number.isInteger(min) && Number.isInteger(max)));

function nameFindings({ rules, constraints = [] }: TableDocument): Finding[] {
  const names = [...rules.map((rule) => rule.name), ...constraints.map((constraint) => constraint.id)];
  const repeated = names.filter((name, index) => names.indexOf(name) < index);
  return repeated.map((name) => errorFinding('SCHEMA', 'name_twice', { name }, name));
}

function priorityFindings(rules: readonly Rule[]): Finding[] {
  return rules.flatMap(({ name, priority }, row) => {
    if (!Number.isInteger(priority) || priority < 1) {
      return [errorFinding('PRIORITY', 'not_positive', { priority }, name)];
    }
    const above = rules[row - 1];
    if (!above || above.priority > priority) return [];
    return [errorFinding('PRIORITY', 'not_below', { priority }, above.name, name)];
  });
}

function vocabularyFindings({ rules, outcomes }: TableDocument): Finding[] {
  const words = [...outcomes.order, ...outcomes.unordered];
  const twice = words.filter((word, index) => words.indexOf(word) < index);
  const foreign = rules.filter((rule) => !words.includes(rule.event.params.outcome));
  return [
    ...twice.map((word) => errorFinding('SCHEMA', 'outcome_twice', { outcome: word })),
    ...foreign.map(({ name, event }) =>
      errorFinding('VOCABULARY_FOREIGN', 'foreign_outcome', { outcome: event.params.outcome }, name),
    ),
  ];
}

function ruleFindings(rule: Rule, document: TableDocument): Finding[] {
  const isLast = rule === document.rules.at(-1);
  return rootFindings(rule.name, rule.conditions, isLast && document.meta.hitPolicy === 'first', document);
}

function rootFindings(subject: string, root: unknown, mayBeDefault: boolean, document: TableDocument): Finding[] {
  const found = conditionFindings(root, { subject, facts: document.facts, constants: document.constants ?? {} });
  if (found.length === 0 && leavesOf(root as RootCondition).length > tableLimits.comparisons) {
    return [errorFinding('SCHEMA', 'too_many_comparisons', { limit: tableLimits.comparisons }, subject)];
  }
  if (!isEmptyAll(root) || mayBeDefault) return found;
  return [...found, errorFinding('SCHEMA', 'default_elsewhere', {}, subject)];
}

const isEmptyAll = (root: unknown): boolean =>
  typeof root === 'object' && root !== null && 'all' in root && Array.isArray(root.all) && root.all.length === 0;

/** 0 and 1 mean "none" and "one" and are not reported as unnamed thresholds. */
function magicNumbers(rule: Rule): Finding[] {
  return leavesOf(rule.conditions)
    .filter((leaf) => leaf.valueRef === undefined)
    .filter((leaf) => typeof leaf.value === 'number' && leaf.value !== 0 && leaf.value !== 1)
    .map(({ fact, operator, value }) =>
      warningFinding('MAGIC_NUMBER', 'unnamed', { fact, operator, value: value as FactValue }, rule.name),
    );
}

function missingMessage({ name, event }: Rule, { messages = {} }: TableDocument): Finding[] {
  const key = event.params.messageKey;
  if (typeof key !== 'string' || Object.hasOwn(messages, key)) return [];
  return [warningFinding('MESSAGE_MISSING', 'no_text', { key }, name)];
}
