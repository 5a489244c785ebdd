// The shipped rules, compiled once for the tests of this folder.

import path from 'node:path';
import { loadNewestBundle } from '../../../src/rulesets/files.ts';
import { compilePipeline } from '../../../src/skill-status/engine/evaluate.ts';

export const bundle = await loadNewestBundle(path.resolve(import.meta.dirname, '../../../rules'));
export const pipeline = compilePipeline(bundle);
