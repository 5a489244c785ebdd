// The rules of tiers, alerts and packets in force, compiled once a process.
import { perBundle } from '#rules/rulesets/index.ts';
import { compileRti } from '../engine/compiled.ts';

/** Throws ENGINE_UNAVAILABLE when a document is missing. */
export const rtiRules = perBundle(compileRti, 'A rule document of tiers and alerts is missing.');
