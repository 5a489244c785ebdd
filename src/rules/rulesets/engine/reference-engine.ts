// The reference engine: the unmodified json-rules-engine. Every run uses a fresh Engine, and `stop()` is never called,
// because it would silently end other runs of the same engine.
import { Engine, type RuleProperties } from 'json-rules-engine';
import type { Decision, Facts, TableDocument } from './document/document.ts';

/**
 * Returns all rules that hold, in priority order; the first is the decision of a first-hit table. Slow, for checks
 * only.
 */
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
