// The shipped batch as it is read by the tests: the built file, its source, and the documents that it was built with.
import fs from 'node:fs/promises';
import type { Blueprint, ImportBody } from '#teaching/lesson-blueprints/schemas.ts';
import { batchPath, readPlanSource } from '../../../../scripts/author/blueprints/build.ts';
import { readScripts } from '../../../../scripts/author/blueprints/script-source.ts';

export const rulesDir = 'rules';
export const batchText = await fs.readFile(batchPath(rulesDir), 'utf8');
export const batch = JSON.parse(batchText) as Omit<ImportBody, 'blueprints'> & { blueprints: Blueprint[] };
export const source = await readPlanSource(rulesDir);
export const scripts = await readScripts(rulesDir);

/** The lines that a list of findings is to be empty of, a few of them: thousands tell no more. */
export const firstOf = (findings: readonly string[]): readonly string[] => findings.slice(0, 20);
