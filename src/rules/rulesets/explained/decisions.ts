// Presents a traced question: its document, the rules tried, and for the requested result the flip distance.
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { round4 } from '#core/platform/pure/round.ts';
import { type FactCategories, isActionable } from '../engine/actionable.ts';
import { type Explanation, explain } from '../engine/analysis/explain/explain.ts';
import { type FlipDistance, flipDistance } from '../engine/analysis/explain/flip.ts';
import { type Layers, layersOf } from '../engine/analysis/layers.ts';
import type { TableDocument } from '../engine/document/document.ts';
import type { TracedCall } from '../engine/traced-call.ts';
import type { DecisionView, QuestionView } from './decision-schemas.ts';

/** The questions of an explanation tree, each listed once however many nodes refer to it. */
export interface Questions {
  /** Returns the key of a question: `ADR.3` is the third question to ADR. */
  keyOf(call: TracedCall): string;
  readonly byKey: Readonly<Record<string, QuestionView>>;
}

export function newQuestions(): Questions {
  const keys = new Map<TracedCall, string>();
  const byKey: Record<string, QuestionView> = {};
  const counts = new Map<string, number>();
  return {
    byKey,
    keyOf(call) {
      const known = keys.get(call);
      if (known !== undefined) return known;
      const question = questionOf(call);
      const count = (counts.get(question.layer) ?? 0) + 1;
      const key = `${question.layer}.${count}`;
      counts.set(question.layer, count);
      keys.set(call, key);
      byKey[key] = question;
      return key;
    },
  };
}

function questionOf(call: TracedCall): QuestionView {
  const { table, hits } = call;
  const { trace, constants } = explanationOf(call);
  const asked = { ...named(call), facts: { ...call.facts }, trace, constants };
  const [hit] = hits;
  return table.isFirstHit && hit ? { ...asked, ...hitOf(hit) } : { ...asked, hits: hits.map(hitOf) };
}

/** Returns the view of a decision. `subject` names whom the question is about. */
export function decisionOf(call: TracedCall, subject: string): DecisionView {
  const question = questionOf(call);
  const explanation = explanationOf(call);
  if ('hits' in question) return { ...question, subject };
  const flip = 'hits' in explanation ? null : explanation.flipDistance;
  const decision = { ...question, subject, flipDistance: flip && shownFlip(flip) };
  calls.set(decision, { call, flip });
  return decision;
}

const shownFlip = (flip: FlipDistance) => ({ ...flip, facts: { ...flip.facts }, distance: round4(flip.distance) });

const calls = new WeakMap<DecisionView, { readonly call: TracedCall; readonly flip: FlipDistance | null }>();

/** Returns the smallest change within a school's reach that changes the decision; undefined when there is none. */
export function actionableFlipOf(
  decision: DecisionView,
  categories: FactCategories,
  isAboutChild: (fact: string) => boolean,
) {
  const known = calls.get(decision);
  const flip = known && actionableFlip(known.call, known.flip, categories, isAboutChild);
  return flip && shownFlip(flip);
}

function actionableFlip(
  { table, facts, hits }: TracedCall,
  flip: FlipDistance | null,
  categories: FactCategories,
  isAboutChild: (fact: string) => boolean,
): FlipDistance | undefined {
  const mayMove = (fact: string) => isActionable(categories, table.name, fact) && isAboutChild(fact);
  if (!flip || flip.changes.every(({ fact }) => mayMove(fact))) return flip ?? undefined;
  return flipDistance(layersOnce(table.document), facts, hits[0]?.outcome ?? '', mayMove);
}

function named({ table }: TracedCall) {
  const { family, version } = table.document.meta;
  const layer = family.toUpperCase();
  return { layer, ruleVersion: `${layer}@${version}`, documentSha256: sha256Of(table.document) };
}

const hitOf = ({ ruleId, outcome, params }: TracedCall['hits'][number]) => ({ ruleId, outcome, params: { ...params } });

const explanations = new WeakMap<TracedCall, Explanation>();

/** Cached with the question: there are few distinct questions about responses, and each is asked often. */
function explanationOf(call: TracedCall): Explanation {
  const known = explanations.get(call);
  if (known) return known;
  const { table, facts } = call;
  const explanation = explain(table, facts, layersOnce(table.document));
  explanations.set(call, explanation);
  return explanation;
}

const layers = new WeakMap<TableDocument, Layers>();

function layersOnce(document: TableDocument): Layers {
  const known = layers.get(document);
  if (known) return known;
  const made = layersOf(document);
  layers.set(document, made);
  return made;
}

const hashes = new WeakMap<TableDocument, string>();

function sha256Of(document: TableDocument): string {
  const known = hashes.get(document);
  if (known) return known;
  const hash = canonicalHash(document);
  hashes.set(document, hash);
  return hash;
}
