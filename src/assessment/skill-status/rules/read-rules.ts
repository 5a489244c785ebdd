// Reads every rule of the engine and of the sub-flag escalation out of a bundle: for those who publish rules.

import type { RuleBundle } from '#rules/rulesets/index.ts';
import { compileEscalation } from '../../error-patterns/index.ts';
import { compilePipeline } from '../engine/evaluate.ts';

/** Throws BundleError or RangeError with what cannot be read. */
export function readSkillStatusRules(bundle: RuleBundle): void {
  compileEscalation(bundle, compilePipeline(bundle).catalogue);
}
