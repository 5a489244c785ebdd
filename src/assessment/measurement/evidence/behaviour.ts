// The behaviour layer of a pinned rule bundle, compiled once a process.
import { unavailable } from '#core/platform/errors.ts';
import { BundleError, type RuleBundle } from '#rules/rulesets/index.ts';
import { type BehaviourLayer, compileBehaviour } from './engine/behaviour.ts';
import { readThresholds } from './engine/thresholds.ts';

const compiled = new WeakMap<RuleBundle, BehaviourLayer>();

/** Throws ENGINE_UNAVAILABLE when the bundle lacks a document that the layer needs. */
export function behaviourLayer(bundle: RuleBundle): BehaviourLayer {
  const known = compiled.get(bundle);
  if (known) return known;
  try {
    const layer = compileBehaviour(bundle, readThresholds(bundle));
    compiled.set(bundle, layer);
    return layer;
  } catch (error) {
    if (error instanceof BundleError) throw unavailable('A rule document of response behaviour is missing.');
    throw error;
  }
}
