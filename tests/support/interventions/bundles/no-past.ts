// A student for whom no plan has ended yet.
import type { PastFacts } from '#support/interventions/engine/bundles/covering.ts';

export const noPast: PastFacts = { awaitingMeasure: false, lastResult: 'none' };
