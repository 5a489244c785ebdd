// What tests read of an explanation, and what must hold of every one.
import * as assert from 'uvu/assert';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { compileTable, decide, type Facts, isTable, type TableDocument } from '#rules/rulesets/index.ts';
import { bundle } from '../../../assessment/skill-status/evidence.ts';
import { shippedStamp } from '../../../harness/rules.ts';

export interface Decision {
  readonly layer: string;
  readonly subject?: string;
  readonly ruleVersion: string;
  readonly documentSha256: string;
  readonly facts: Facts;
  readonly ruleId?: string;
  readonly outcome?: string;
  readonly hits?: readonly { readonly ruleId: string }[];
  readonly trace: readonly { readonly ruleId: string; readonly failed?: { readonly fact: string } }[];
  readonly constants: Readonly<Record<string, { readonly value: unknown }>>;
  readonly flipDistance?: Flip | null;
}
export interface Flip {
  readonly changes: readonly { readonly fact: string; readonly from: unknown; readonly to: unknown }[];
  readonly ruleId: string;
  readonly outcome: string;
  readonly facts: Facts;
}
export interface Node {
  readonly kind: string;
  readonly stampId: string | null;
  readonly responseRef?: string;
  readonly stored?: Readonly<Record<string, unknown>>;
  readonly domainCode?: string;
  readonly subSkillCode?: string;
  readonly tileCode?: string;
  readonly ruleId: string;
  readonly outcome: string;
  readonly status: string | null;
  /** Keys of the explanation's questions; a tile has none. */
  readonly decisions?: readonly string[];
  readonly from?: readonly Node[];
}
export interface Explained {
  readonly stampId: string;
  readonly kind: string;
  readonly organizationId: string;
  readonly studentId: number;
  readonly runId: string;
  readonly asOf: string;
  readonly sentence: { readonly key: string; readonly ar: string; readonly en: string };
  readonly answerFlip: Readonly<
    Record<'better' | 'worse', { readonly answers: number; readonly status: string } | null>
  >;
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly result: Readonly<Record<string, unknown>>;
  readonly decisions: readonly Decision[];
  readonly matchesStored: boolean;
  readonly nearestChange: {
    readonly layer: string;
    readonly changes: readonly { readonly fact: string }[];
    readonly subject: string;
    readonly outcome: string;
    readonly text: string;
  } | null;
  readonly from: readonly Node[];
  readonly questions: Readonly<Record<string, Decision>>;
  readonly alongside: readonly { readonly subSkillCode: string; readonly facts: readonly string[] }[];
}

export const below = (nodes: readonly Node[]): readonly Node[] =>
  nodes.flatMap((node) => [node, ...below(node.from ?? [])]);

/** Every question is some node's, every node's is there, and the node's rule is the question's. */
export function assertQuestions({ from, questions }: Explained): void {
  const nodes = below(from);
  const mentioned = new Set(nodes.flatMap(({ decisions = [] }) => decisions));
  assert.equal([...mentioned].sort(), Object.keys(questions).sort());
  assert.not(Object.values(questions).some((one) => 'flipDistance' in one));
  const layers = { response: 'ADR', skill: 'SSR', domain: 'DDR' } as const;
  for (const { kind, ruleId, decisions = [] } of nodes) {
    if (kind === 'tile' || ruleId === null) continue;
    const asked = decisions.map((key) => questions[key]);
    assert.is(asked.find((one) => one?.layer === layers[kind as keyof typeof layers])?.ruleId, ruleId);
  }
}

export function only<T>(list: readonly T[]): T {
  assert.is(list.length, 1);
  return list[0] as T;
}

export const layerOf = ({ decisions }: Pick<Explained, 'decisions'>, layer: string): Decision =>
  only(decisions.filter((one) => one.layer === layer));

const documentOf = ({ layer }: Decision): TableDocument => {
  const name = layer.toLowerCase();
  const document = bundle.documents.find(({ meta }) => meta.family === name && meta.key === name);
  if (!document || !isTable(document)) throw new Error(`no table ${name}`);
  return document;
};

/** The trace ends at the rule that answered; every rule before it failed. The flip really flips. */
export function assertDecision(decision: Decision): void {
  const document = documentOf(decision);
  assert.is(decision.ruleVersion, shippedStamp(decision.layer.toLowerCase()));
  assert.is(decision.documentSha256, canonicalHash(document));
  if (decision.hits) return;
  assert.is(decision.trace.at(-1)?.ruleId, decision.ruleId);
  assert.equal(
    decision.trace.map(({ failed }) => failed === undefined),
    decision.trace.map((_, at) => at === decision.trace.length - 1),
  );
  const { flipDistance } = decision;
  assert.ok(flipDistance, `${decision.layer} can say something else`);
  const table = compileTable(document);
  const changed = { ...decision.facts, ...Object.fromEntries(flipDistance.changes.map(({ fact, to }) => [fact, to])) };
  assert.equal(changed, flipDistance.facts);
  assert.is(decide(table, decision.facts).ruleId, decision.ruleId);
  const flipped = decide(table, flipDistance.facts);
  assert.is(flipped.ruleId, flipDistance.ruleId);
  assert.is(flipped.outcome, flipDistance.outcome);
  assert.is.not(flipped.outcome, decision.outcome);
}
