// The second opinion: json-rules-engine as its authors run it. A fresh Engine for every run, and `stop()` never called,
// because `stop()` belongs to the engine and would end other runs without an error.
import { Engine, type RuleProperties } from 'json-rules-engine';
import type { Decision, Facts, TableDocument } from './document/document.ts';

/** All rules that hold, in priority order; the first is what a first-hit table decides. Slow, for checks only. */
export async function askReferenceEngine(document: TableDocument, facts: Facts): Promise<Decision[]> {
  const engine = new Engine(document.rules as unknown as RuleProperties[]);
  const { results } = await engine.run(facts);
  return results
    .toSorted((left, right) => (right.priority ?? 0) - (left.priority ?? 0))
    .map(({ name, event }) => {
      const params = event?.params ?? {};
      return { ruleId: name, outcome: String(params.outcome), params };
    });
}
