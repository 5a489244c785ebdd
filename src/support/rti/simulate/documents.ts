// Which rule documents are about alerts and recommendations of tiers.
import type { DocumentName } from '#rules/rulesets/index.ts';
import type { SkillState } from '../engine/vocabulary.ts';

/** Reasons and review types change no answer: that is what a report of them says. */
const families: ReadonlySet<string> = new Set(['rti', 'fidelity']);

/** `family/key`. */
export const isTierDocument = (name: string): boolean => families.has(name.split('/')[0] ?? '');

/** The tables whose rules a report counts, in the order in which they are asked. */
export const tierTables: readonly DocumentName[] = ['rti/alerts', 'rti/tier-recommendation'];

/** States of sub-skills: they are told from the first run on, as if the rules had always been so. */
export const stateTable: DocumentName = 'rti/skill-state';
export const isStateDocument = (name: string): boolean => name === stateTable;

/** Worst to best. */
export const orderedStates: readonly SkillState[] = ['monitoring', 'on_track', 'maintenance'];
