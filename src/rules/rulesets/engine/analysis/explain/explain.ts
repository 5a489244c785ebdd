// Explains a decision: why a table decided as it did, and the smallest change that alters the decision.
import type { Table } from '../../compile.ts';
import { collect, decide, traceUntil } from '../../decide.ts';
import type { Constant, Decision, Facts, TraceStep } from '../../document/document.ts';
import { type Layers, layersOf } from '../layers.ts';
import { type FlipDistance, flipDistance } from './flip.ts';

interface ExplanationBase {
  /** Every rule that was tried, with its first failed condition or the conditions by which it holds. */
  readonly trace: readonly TraceStep[];
  /** The constants that appear in the trace, by id. */
  readonly constants: Readonly<Record<string, Constant>>;
}
export interface FirstHitExplanation extends ExplanationBase, Omit<Decision, 'trace'> {
  /** Null when the table decides the same for all facts. */
  readonly flipDistance: FlipDistance | null;
}
export interface CollectExplanation extends ExplanationBase {
  readonly hits: readonly Decision[];
}
export type Explanation = FirstHitExplanation | CollectExplanation;

/**
 * Throws FactError and NoDecisionError as `decide` does. A caller that explains often can pass `layers`, which depend
 * on the table alone.
 */
export function explain(table: Table, facts: Facts, layers: Layers = layersOf(table.document)): Explanation {
  if (!table.isFirstHit) {
    const hits = collect(table, facts);
    const trace = traceUntil(table, facts);
    return { hits, trace, constants: constantsOf(table, trace) };
  }
  const { ruleId, outcome, params, trace = [] } = decide(table, facts, { trace: true });
  const flip = flipDistance(layers, facts, outcome) ?? null;
  return { ruleId, outcome, params, trace, constants: constantsOf(table, trace), flipDistance: flip };
}

function constantsOf({ document }: Table, trace: readonly TraceStep[]): Readonly<Record<string, Constant>> {
  const leaves = trace.flatMap(({ failed, held = [] }) => [...(failed ? [failed] : []), ...held]);
  const named = new Set(leaves.flatMap(({ valueRef }) => valueRef ?? []));
  return Object.fromEntries(Object.entries(document.constants ?? {}).filter(([id]) => named.has(id)));
}
