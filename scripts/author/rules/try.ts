// `rules try`: evaluates one table with given facts, and explains the result.
import { conditionText } from '#rules/rulesets/engine/analysis/condition-text.ts';
import { type Explanation, explain } from '#rules/rulesets/engine/analysis/explain/explain.ts';
import type { FlipDistance } from '#rules/rulesets/engine/analysis/explain/flip.ts';
import { compileTable } from '#rules/rulesets/engine/compile.ts';
import type { Facts, TraceStep } from '#rules/rulesets/engine/document/document.ts';
import { asTable, findRule } from './documents.ts';
import type { Output } from './terminal.ts';

export async function tryFacts([name = '', factsText = '{}']: readonly string[], out: Output): Promise<boolean> {
  const { document } = asTable(await findRule(name), name);
  const answer = explain(compileTable(document), JSON.parse(factsText) as Facts);
  out.json(answer);
  for (const line of answerLines(answer)) out.line(line);
  out.line('');
  out.table([['rule', '', 'because'], ...answer.trace.map(traceRow)]);
  return true;
}

function answerLines(answer: Explanation): readonly string[] {
  if ('hits' in answer) {
    return answer.hits.length === 0
      ? ['no rule holds']
      : answer.hits.map(({ ruleId, outcome }) => `${ruleId}  ${outcome}`);
  }
  const params = Object.entries(answer.params).filter(([key]) => key !== 'outcome');
  return [
    `${answer.ruleId}  ${answer.outcome}`,
    ...params.map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`),
    answer.flipDistance ? flipText(answer.flipDistance) : 'no facts change the outcome',
  ];
}

function flipText({ changes, ruleId, outcome }: FlipDistance): string {
  const moved = changes.map(({ fact, from, to }) => `${fact} ${from} → ${to}`).join(', ');
  return `flips to ${outcome} (${ruleId}) with ${moved}`;
}

function traceRow({ ruleId, failed }: TraceStep): readonly string[] {
  if (!failed) return [ruleId, 'holds', ''];
  const condition = `${failed.negated ? 'not ' : ''}${conditionText(failed)}`;
  const constant = failed.valueRef ? ` (${failed.valueRef})` : '';
  return [ruleId, 'no', `${condition}${constant}; ${failed.fact} is ${failed.actual}`];
}
