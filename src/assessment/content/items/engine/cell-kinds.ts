// Properties of cells by sub-skill: how items are presented, what is spoken, what may be unvowelled. The authoring
// tools, the checks and the build use them.
import type { GradeBand, ItemType } from './item.ts';

interface CellName {
  readonly subSkillCode: string;
  readonly gradeBand: GradeBand;
}

const readSubSkills = new Set(['LK_FORM', 'LK_SHAPE', 'DEC_UNVOWELLED']);

/** Returns the item type of a sub-skill: heard, read, from a passage, or at a glance. */
export function itemTypeOf(subSkillCode: string): ItemType {
  if (subSkillCode === 'FLU_WORD') return 'timed_choice';
  if (subSkillCode.startsWith('RC_')) return 'passage_mcq';
  const read = readSubSkills.has(subSkillCode) || /^(VOC|MOR)_/.test(subSkillCode);
  return read ? 'mcq_text' : 'mcq_audio';
}

/** Sub-skills of sounds and meanings have spoken options, so that the child need not read them. */
export const hasSpokenOptions = (subSkillCode: string): boolean => /^(PA|LIS|VOC|MOR)_/.test(subSkillCode);

/** The right option is the heard word itself, among similar printed words. */
export const asksHeardWord = (subSkillCode: string): boolean =>
  /^(DEC|ACC|SPL)_/.test(subSkillCode) && subSkillCode !== 'DEC_UNVOWELLED';

/** The sentences and the question are spoken. */
export const isListening = (subSkillCode: string): boolean => subSkillCode.startsWith('LIS_');

/** Options are words or sentences with a meaning, so their form must not reveal the right one. */
export const asksMeaning = (subSkillCode: string): boolean => /^(LIS|VOC|RC)_/.test(subSkillCode);

/** These two cells measure reading without marks: in one the sentence, in the other the strings are unvowelled. */
export const isUnvowelled = ({ subSkillCode, gradeBand }: CellName): boolean =>
  subSkillCode === 'DEC_UNVOWELLED' || (subSkillCode === 'FLU_WORD' && gradeBand === 'G34');
