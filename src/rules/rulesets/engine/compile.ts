// Compiles a table into bit masks, once per version: each fact value selects the boxes that are still possible.
import { Rule as LibraryRule } from 'json-rules-engine';
import { boxesOf } from './boxes.ts';
import { type CompiledFact, compileFact } from './compiled-fact.ts';
import {
  type Decision,
  type DocumentName,
  documentId,
  documentName,
  type Facts,
  type RootCondition,
  type Rule,
  type TableDocument,
} from './document/document.ts';
import { tableLimits } from './document/table-limits.ts';
import { type FactPartition, partitionFacts } from './partition.ts';

/**
 * Receives every question that an engine asks a table, with the hits, and returns the hits that the engine must use:
 * the given ones, or those of the reference engine.
 */
export type Observe = (table: Table, facts: Facts, hits: readonly Decision[]) => readonly Decision[];

/** A compiled decision table; immutable. */
export interface Table {
  readonly name: DocumentName;
  /** `family/key@version`. */
  readonly id: string;
  readonly document: TableDocument;
  readonly isFirstHit: boolean;
  readonly partition: readonly FactPartition[];
  readonly facts: readonly CompiledFact[];
  /** Number of words of 32 boxes. Boxes are in rule order: the first set bit is the first rule that holds. */
  readonly words: number;
  /** Row of the rule that a box belongs to. */
  readonly rowOfBox: Int32Array;
  /** The decision of each row, built once and shared. */
  readonly decisions: readonly Decision[];
  /** Called by engines, never by `decide()` itself, so that unobserved decisions cost nothing. */
  readonly observe: Observe | undefined;
}

/** Compiles a document that `parseRuleDocument` accepted. Throws RangeError for a table beyond the limits. */
export function compileTable(document: TableDocument, observe?: Observe): Table {
  const partition = partitionFacts(document);
  assertNotCutTooFine(partition);
  const rules = document.rules.map(asLibraryReads);
  const boxesOfRows = rules.map((rule) => boxesOf(rule.conditions, partition));
  const boxes = boxesOfRows.flat();
  if (boxes.length > tableLimits.boxes)
    throw new RangeError(`the rules unfold into more than ${tableLimits.boxes} boxes`);
  const words = Math.max(1, Math.ceil(boxes.length / 32));
  return {
    name: documentName(document),
    id: documentId(document),
    document,
    isFirstHit: document.meta.hitPolicy === 'first',
    partition,
    facts: partition.map((fact, position) => compileFact(fact, position, boxes, words)),
    words,
    rowOfBox: Int32Array.from(boxesOfRows.flatMap((members, row) => members.map(() => row))),
    decisions: rules.map(decisionOf),
    observe,
  };
}

function assertNotCutTooFine(partition: readonly FactPartition[]): void {
  const fine = partition.find(({ cells }) => cells.length > tableLimits.cells);
  if (fine) throw new RangeError(`fact ${fine.name} is cut into more than ${tableLimits.cells} ranges`);
}

/** json-rules-engine parses each rule, so that both read the document alike. */
function asLibraryReads(rule: Rule): Rule {
  const parsed = new LibraryRule(rule as unknown as ConstructorParameters<typeof LibraryRule>[0]);
  return { ...rule, conditions: parsed.conditions as unknown as RootCondition };
}

function decisionOf(rule: Rule): Decision {
  const { params } = rule.event;
  return Object.freeze({ ruleId: rule.name, outcome: params.outcome, params });
}
