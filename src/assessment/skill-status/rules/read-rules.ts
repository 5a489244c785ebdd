// Reads all rules of the engine and of the sub-flag escalation from a bundle, for checks before publishing.

import type { RuleBundle } from '#rules/rulesets/index.ts';
import { compileEscalation } from '../../error-patterns/index.ts';
import { compilePipeline } from '../engine/evaluate.ts';

/** Throws BundleError or RangeError for an unreadable document. */
export function readSkillStatusRules(bundle: RuleBundle): void {
  compileEscalation(bundle, compilePipeline(bundle).catalogue);
}
