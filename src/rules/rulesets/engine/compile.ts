// Turns a table into bit masks, once per version: every fact value then selects the boxes still possible.
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
 * Sees every question that an engine puts to a table, with its hits, and answers the hits that the engine is to use: the
 * same ones, unless it knows better (the reference engine does).
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
  /** Words of 32 boxes each. Boxes stand in rule order: the first set bit is the first rule that holds. */
  readonly words: number;
  /** Row of the rule that a box belongs to. */
  readonly rowOfBox: Int32Array;
  /** The decision of each row, made once and shared. */
  readonly decisions: readonly Decision[];
  /** Asked by engines, never by `decide()` itself: unobserved decisions pay nothing for it. */
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

/** The library parses each rule, so that its reading of the document is ours too. */
function asLibraryReads(rule: Rule): Rule {
  const parsed = new LibraryRule(rule as unknown as ConstructorParameters<typeof LibraryRule>[0]);
  return { ...rule, conditions: parsed.conditions as unknown as RootCondition };
}

function decisionOf(rule: Rule): Decision {
  const { params } = rule.event;
  return Object.freeze({ ruleId: rule.name, outcome: params.outcome, params });
}
