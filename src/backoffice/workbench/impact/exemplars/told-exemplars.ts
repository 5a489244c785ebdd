// Exemplars of rewards and notifications: no table is asked, so that both sides are what the places say.
import type { Place } from '../engine/places.ts';
import type { Exemplar, ExemplarSide } from '../engine/report.ts';
import { toldLayers } from '../engine/vocabulary.ts';

/** A request that nobody was told of has no stored row to be explained. */
export const toldExemplars = (places: readonly Place[]): [Place, Exemplar][] =>
  places
    .filter(({ layer }) => toldLayers.some((one) => one === layer))
    .map((place) => {
      const { studentId, subject } = place.exemplar;
      const sides = { before: sideOf(place.from), after: sideOf(place.to) };
      return [place, { studentId, stampId: stampOf(place), subject, ...sides }];
    });

function stampOf({ layer, exemplar: { subject, ref } }: Place): string {
  if (layer === 'NOTIFICATION') return ref === '' ? `request:${subject}` : `notification:${ref}`;
  return `mastery:${layer === 'XP' ? subject : ref}`;
}

const sideOf = (outcome: string): ExemplarSide => ({ ruleId: null, outcome, facts: null, trace: [] });
