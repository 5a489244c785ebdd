// A student without an ended assignment.
import type { PastFacts } from '#support/interventions/engine/bundles/covering.ts';

export const noPast: PastFacts = { awaitingMeasure: false, lastResult: 'none' };
