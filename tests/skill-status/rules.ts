// The shipped rules, compiled once for the tests of this folder.

import { loadNewestBundle } from '../../src/rulesets/files.ts';
import { compilePipeline } from '../../src/skill-status/engine/evaluate.ts';

export const bundle = await loadNewestBundle('rules');
export const pipeline = compilePipeline(bundle);
