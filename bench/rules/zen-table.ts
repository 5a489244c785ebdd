// Converts a decision table to the format of @gorules/zen-engine: one column for each fact, one unary test for each cell.
import { leavesOf } from '../../src/rules/rulesets/engine/document/conditions.ts';
import type { Leaf, Rule, TableDocument } from '../../src/rules/rulesets/engine/document/document.ts';

/** With `loop` the input is `{ facts: […] }`, and one call returns `{ answers: [{ ruleId }, …] }` for all of them. */
export function zenTable(document: TableDocument, execution: 'single' | 'loop'): object {
  const names = Object.keys(document.facts);
  const content = {
    hitPolicy: 'first',
    executionMode: execution,
    inputField: execution === 'loop' ? 'facts' : null,
    outputPath: execution === 'loop' ? 'answers' : null,
    passThrough: false,
    inputs: names.map((name) => ({ id: `in-${name}`, name, field: name })),
    outputs: [{ id: 'out', name: 'rule', field: 'ruleId' }],
    rules: document.rules.map((rule) => zenRule(rule, names)),
  };
  const nodes = [
    { id: 'request', name: 'request', type: 'inputNode', content: {} },
    { id: 'table', name: 'table', type: 'decisionTableNode', content },
    { id: 'response', name: 'response', type: 'outputNode', content: {} },
  ];
  const edge = (sourceId: string, targetId: string) => ({
    id: `${sourceId}-${targetId}`,
    type: 'edge',
    sourceId,
    targetId,
  });
  return { nodes, edges: [edge('request', 'table'), edge('table', 'response')] };
}

/** Supports tables that only combine conditions with "all"; each fact may occur once in a rule. */
function zenRule(rule: Rule, names: readonly string[]): Record<string, string> {
  const leaves = leavesOf(rule.conditions);
  const cells = names.map((name) => {
    const own = leaves.filter(({ fact }) => fact === name);
    if (own.length > 1) throw new RangeError(`${rule.name} asks ${name} twice`);
    return [`in-${name}`, own[0] ? unaryTest(own[0]) : ''];
  });
  return { _id: rule.name, ...Object.fromEntries(cells), out: JSON.stringify(rule.name) };
}

function unaryTest({ operator, value }: Leaf): string {
  const text = JSON.stringify(value);
  if (operator === 'equal') return text;
  if (operator === 'in' && Array.isArray(value)) return value.map((one) => JSON.stringify(one)).join(', ');
  if (operator === 'greaterThanInclusive') return `>= ${text}`;
  throw new RangeError(`no unary test for ${operator}`);
}
