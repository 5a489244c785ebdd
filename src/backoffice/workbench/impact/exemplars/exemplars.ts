// The students who are shown for a transition, with the reasons of both answers. Only they are traced, at the end.

import { simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { type Place, placesOf } from '../engine/places.ts';
import type { ImpactPosition } from '../engine/position.ts';
import type { Exemplar, ExemplarsOf } from '../engine/report.ts';
import type { ReportLayer } from '../engine/vocabulary.ts';
import { type ImpactJob, type PlacedJob, placedIn } from '../input.ts';
import type { RulePair } from '../rule-pair.ts';
import { type Inputs, inputsOf } from '../steps/inputs.ts';
import { type Reviews, reviewsOf } from '../steps/reviews.ts';
import { fidelityExemplars } from './fidelity-exemplars.ts';
import { flagExemplars } from './flag-exemplars.ts';
import { stateExemplars } from './state-exemplars.ts';
import { supportExemplars } from './support-exemplars.ts';
import { tierExemplars } from './tier-exemplars.ts';
import { toldExemplars } from './told-exemplars.ts';

/** Runs whose evidence is held at once. */
const runsAtOnce = 100;

/** Exemplars of every transition. One whose run was erased since is left out. */
export async function resolveExemplars(
  services: Services,
  job: ImpactJob,
  rulePair: RulePair,
  position: ImpactPosition,
): Promise<ExemplarsOf> {
  const places = placesOf(position);
  const found = new Map<Place, Exemplar>();
  for (const organizationId of new Set(places.map(({ exemplar }) => exemplar.organizationId))) {
    const own = places.filter(({ exemplar }) => exemplar.organizationId === organizationId);
    const placed = placedIn(job, organizationId);
    for (const [place, exemplar] of await inOrganization(services, placed, rulePair, own)) found.set(place, exemplar);
  }
  return (layer, from, to) =>
    places
      .filter((place) => place.layer === layer && place.from === from && place.to === to)
      .flatMap((place) => found.get(place) ?? []);
}

const reading = <T>({ db }: Services, { organizationId }: PlacedJob, work: (trx: Trx) => Promise<T>): Promise<T> =>
  inReadOnlyContext(db, { organizationId }, work);

async function inOrganization(
  services: Services,
  job: PlacedJob,
  rulePair: RulePair,
  places: readonly Place[],
): Promise<Map<Place, Exemplar>> {
  const inPipeline = places.filter(({ layer }) => isPipelineLayer(layer));
  const found = new Map(await reading(services, job, (trx) => flagExemplars(trx, job, rulePair, places)));
  const gates = await reading(services, job, (trx) => fidelityExemplars(trx, job, rulePair, places));
  const ofSupport = await supportExemplars(services, job, rulePair, places);
  const ofTiers = await tierExemplars(services, job, rulePair, places);
  const ofStates = await reading(services, job, (trx) => stateExemplars(trx, job, rulePair, places));
  for (const [place, exemplar] of [...gates, ...ofSupport, ...ofTiers, ...ofStates, ...toldExemplars(places)]) {
    found.set(place, exemplar);
  }
  const runIds = [...new Set(inPipeline.map(({ exemplar }) => exemplar.ref))];
  for (let from = 0; from < runIds.length; from += runsAtOnce) {
    const some = new Set(runIds.slice(from, from + runsAtOnce));
    const wanted = inPipeline.filter(({ exemplar }) => some.has(exemplar.ref));
    for (const [place, exemplar] of await traced(services, job, rulePair, wanted)) found.set(place, exemplar);
  }
  return found;
}

const isPipelineLayer = (layer: ReportLayer): layer is simulation.LayerName =>
  simulation.layerNames.some((name) => name === layer);

async function traced(
  services: Services,
  job: PlacedJob,
  rulePair: RulePair,
  places: readonly Place[],
): Promise<Map<Place, Exemplar>> {
  const { organizationId, input } = job;
  const ids = [...new Set(places.map(({ exemplar }) => exemplar.ref))];
  const runs = await reading(services, job, (trx) => simulation.runsById(trx, organizationId, ids));
  const inputs = await inputsOf(services, job, rulePair, runs);
  const reviews = await reviewsOf(services, job, rulePair, runs);
  const found = new Map<Place, Exemplar>();
  const questions = new Map<Place, simulation.StampQuestion>();
  for (const run of runs) {
    const answersTo = bothAnswers(rulePair, run, inputs(run), reviews(run), input.asOf);
    for (const place of places.filter(({ exemplar }) => exemplar.ref === run.id)) {
      const { layer, exemplar } = place;
      if (!isPipelineLayer(layer)) continue;
      const { studentId, subject } = exemplar;
      found.set(place, { studentId, stampId: `run:${run.id}`, subject, ...answersTo(layer, subject) });
      const kind = rowOfLayer[layer];
      if (kind) questions.set(place, { kind, run, subject });
    }
  }
  const asked = [...questions.values()];
  const stampOf = await reading(services, job, (trx) => simulation.storedStamps(trx, organizationId, asked));
  for (const [place, exemplar] of found) {
    const question = questions.get(place);
    const stampId = question && stampOf(question);
    if (stampId !== undefined) found.set(place, { ...exemplar, stampId });
  }
  return found;
}

/** Where escalation was looked at on both sides, it is what tells them apart. */
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

/** Which stored row says what a layer said; the codes of responses have no stamp but their run's. */
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
