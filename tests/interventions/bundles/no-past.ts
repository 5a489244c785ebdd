// A student for whom no plan has ended yet.
import type { PastFacts } from '../../../src/interventions/engine/bundles/covering.ts';

export const noPast: PastFacts = { awaitingMeasure: false, lastResult: 'none' };
