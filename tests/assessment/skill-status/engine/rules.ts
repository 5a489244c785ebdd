// The shipped rules, compiled once for the tests of this folder.

import path from 'node:path';
import { compilePipeline } from '#assessment/skill-status/engine/evaluate.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';

export const bundle = await loadNewestBundle(path.resolve(import.meta.dirname, '../../../../rules'));
export const pipeline = compilePipeline(bundle);
