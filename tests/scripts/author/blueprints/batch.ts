// The shipped batch for tests: the built file, its source, and the documents from which it was built.
import fs from 'node:fs/promises';
import type { Blueprint, ImportBody } from '#teaching/lesson-blueprints/schemas.ts';
import { batchPath, readPlanSource } from '../../../../scripts/author/blueprints/build.ts';
import { readScripts } from '../../../../scripts/author/blueprints/script-source.ts';

export const rulesDir = 'rules';
export const batchText = await fs.readFile(batchPath(rulesDir), 'utf8');
export const batch = JSON.parse(batchText) as Omit<ImportBody, 'blueprints'> & { blueprints: Blueprint[] };
export const source = await readPlanSource(rulesDir);
export const scripts = await readScripts(rulesDir);

/** The first lines of a list of findings that must be empty; thousands tell no more. */
export const firstOf = (findings: readonly string[]): readonly string[] => findings.slice(0, 20);
