// The behaviour layer of a pinned rule bundle, compiled once per process.
import { perBundle } from '#rules/rulesets/index.ts';
import { compileBehaviour } from './engine/behaviour.ts';
import { readThresholds } from './engine/thresholds.ts';

/** Throws ENGINE_UNAVAILABLE when the bundle lacks a document that the layer needs. */
export const behaviourLayer = perBundle(
  (bundle) => compileBehaviour(bundle, readThresholds(bundle)),
  'A rule document of response behaviour is missing.',
);
