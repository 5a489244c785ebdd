// Why a table said what it said, and how little would have made it say something else.
import type { Table } from '../../compile.ts';
import { collect, decide, traceUntil } from '../../decide.ts';
import type { Constant, Decision, Facts, TraceStep } from '../../document/document.ts';
import { type Layers, layersOf } from '../layers.ts';
import { type FlipDistance, flipDistance } from './flip.ts';

interface ExplanationBase {
  /** Every rule that was tried, with its first condition that failed or those that it holds by. */
  readonly trace: readonly TraceStep[];
  /** The constants that the trace names, by id. */
  readonly constants: Readonly<Record<string, Constant>>;
}
export interface FirstHitExplanation extends ExplanationBase, Omit<Decision, 'trace'> {
  /** Null when the table says the same whatever the facts. */
  readonly flipDistance: FlipDistance | null;
}
export interface CollectExplanation extends ExplanationBase {
  readonly hits: readonly Decision[];
}
export type Explanation = FirstHitExplanation | CollectExplanation;

/**
 * Throws FactError and NoDecisionError as `decide` does. `layers` may be given by a caller that explains often: they
 * depend on the table alone.
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
  const told = trace.flatMap(({ failed, held = [] }) => [...(failed ? [failed] : []), ...held]);
  const named = new Set(told.flatMap(({ valueRef }) => valueRef ?? []));
  return Object.fromEntries(Object.entries(document.constants ?? {}).filter(([id]) => named.has(id)));
}
