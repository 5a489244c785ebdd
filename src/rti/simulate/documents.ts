// Which rule documents are about alerts and recommendations of tiers.
import type { DocumentName } from '../../rulesets/index.ts';

/** Reasons and review types change no answer: that is what a report of them says. */
const families: ReadonlySet<string> = new Set(['rti', 'fidelity']);

/** `family/key`. */
export const isTierDocument = (name: string): boolean => families.has(name.split('/')[0] ?? '');

/** The tables whose rules a report counts, in the order in which they are asked. */
export const tierTables: readonly DocumentName[] = ['rti/alerts', 'rti/tier-recommendation'];

/** States of sub-skills are stored and go on from there: what another version of it would have made of them is not told. */
export const storedStates: DocumentName = 'rti/skill-state';
