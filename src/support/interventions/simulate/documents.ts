// Which rule documents decide profiles, plans and groups of stored runs.
import type { DocumentName } from '#rules/rulesets/index.ts';
import { generationDocuments } from '../engine/clustering/generation.ts';

const decisive: ReadonlySet<string> = new Set(generationDocuments);

/** `family/key`. */
export const isSupportDocument = (name: string): boolean => decisive.has(name);

/** The tables whose rules a report counts, in the order in which they are asked. */
export const supportTables: readonly DocumentName[] = ['profile/resolution', 'bundle/recommendation'];
