// Exemplars of the layers of the pipeline: the facts that each layer evaluated for the subject, and its rules.

import { simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import { readTransactionIn } from '#core/platform/db.ts';
import type { ExemplarSlot } from '#rules/rulesets/index.ts';
import type { Exemplar } from '../engine/report.ts';
import type { OrganizationJob } from '../input.ts';
import type { RulePair } from '../rule-pair.ts';
import { type Inputs, inputsOf } from '../steps/inputs.ts';
import { type Reviews, reviewsOf } from '../steps/reviews.ts';

const isPipelineLayer = (layer: string): layer is simulation.LayerName =>
  simulation.layerNames.some((name) => name === layer);

/** Resolves the slots of the pipeline's layers, and leaves out all others. */
export async function tracedExemplars(
  services: Services,
  job: OrganizationJob,
  rulePair: RulePair,
  slots: readonly ExemplarSlot[],
): Promise<Map<ExemplarSlot, Exemplar>> {
  const { organizationId, input } = job;
  const own = slots.filter(({ layer }) => isPipelineLayer(layer));
  const found = new Map<ExemplarSlot, Exemplar>();
  if (own.length === 0) return found;
  const reading = readTransactionIn(services.db, { organizationId });
  const ids = [...new Set(own.map(({ ref }) => ref))];
  const runs = await reading((trx) => simulation.runsById(trx, organizationId, ids));
  const inputs = await inputsOf(services, job, rulePair, runs);
  const reviews = await reviewsOf(services, job, rulePair, runs);
  const questions = new Map<ExemplarSlot, simulation.StampQuestion>();
  for (const run of runs) {
    const answersTo = bothAnswers(rulePair, run, inputs(run), reviews(run), input.asOf);
    for (const slot of own.filter(({ ref }) => ref === run.id)) {
      const { layer, studentId, subject } = slot;
      if (!isPipelineLayer(layer)) continue;
      found.set(slot, { studentId, stampId: `run:${run.id}`, subject, ...answersTo(layer, subject) });
      const kind = rowOfLayer[layer];
      if (kind) questions.set(slot, { kind, run, subject });
    }
  }
  const stampOf = await reading((trx) => simulation.storedStamps(trx, organizationId, [...questions.values()]));
  for (const [slot, exemplar] of found) {
    const question = questions.get(slot);
    const stampId = question && stampOf(question);
    if (stampId !== undefined) found.set(slot, { ...exemplar, stampId });
  }
  return found;
}

/** Where escalation was evaluated on both sides, the exemplar shows that evaluation. */
function bothAnswers(
  rulePair: RulePair,
  { grade }: simulation.SimulatedRun,
  { before, after }: Inputs,
  review: Reviews,
  asOf: string,
): (layer: simulation.LayerName, subject: string) => Pick<Exemplar, 'before' | 'after'> {
  const situation = (contextReviewActive: boolean) => ({ grade, contextReviewActive, asOf });
  const now = simulation.traceLayers({ ...before, ...situation(review.before) }, rulePair.before.bundle);
  const then = simulation.traceLayers({ ...after, ...situation(review.after) }, rulePair.after.bundle);
  return (layer, subject) => {
    const isEscalated = now.wasEscalated(subject) && then.wasEscalated(subject);
    return { before: now.answer(layer, subject, isEscalated), after: then.answer(layer, subject, isEscalated) };
  };
}

/** The kind of stored row that holds a layer's outcome. Codes of responses have no stamp but that of their run. */
const rowOfLayer: Readonly<Partial<Record<simulation.LayerName, simulation.StampQuestion['kind']>>> = {
  CIS: 'skill',
  PAC: 'skill',
  SSR: 'skill',
  CONFIDENCE: 'skill',
  STRENGTH: 'skill',
  DDR: 'domain',
  DDR_LC: 'domain',
  DSM: 'domain',
  TILE: 'tile',
};
