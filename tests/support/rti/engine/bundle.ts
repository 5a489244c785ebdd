// The shipped rules of tiers, for tests of the engine.

import { loadNewestBundle } from '#rules/rulesets/files.ts';
import { schoolCalendar } from '#support/interventions/engine/assignments/calendar.ts';
import type { AlertFacts } from '#support/rti/engine/alerts/alert.ts';
import { compileRti } from '#support/rti/engine/compiled.ts';

export const bundle = await loadNewestBundle('rules');
export const rti = compileRti(bundle);

/** Friday and Saturday are free. */
export const calendar = schoolCalendar([5, 6], ['2026-11-10', '2026-11-11', '2026-11-12']);

/** Tier 1, measured, without any alert. */
export const calm: AlertFacts = {
  ...{ dndy: false, dataIncomplete: false, acuteDrop: null, acuteCbm: null },
  ...{ tier: 1, weeksInTier: 0, reviewWeeks: 0, deliveredWeeks: 0, gate: 'not_applicable', progress: 'unknown' },
  ...{ broadCount: 0, strongCount: 0, severeTile: false, skillHits: [] },
};

/** A seeded sequence of numbers from 0 to 1. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
