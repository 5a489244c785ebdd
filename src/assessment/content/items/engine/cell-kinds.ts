// What a cell of items does by its sub-skill: how it is asked, what is said, what may stand without marks. The authors,
// the checks and the build read it here.
import type { GradeBand, ItemType } from './item.ts';

interface CellName {
  readonly subSkillCode: string;
  readonly gradeBand: GradeBand;
}

const readSubSkills = new Set(['LK_FORM', 'LK_SHAPE', 'DEC_UNVOWELLED']);

/** How a sub-skill is asked: heard, read, from a passage, or at a glance. */
export function itemTypeOf(subSkillCode: string): ItemType {
  if (subSkillCode === 'FLU_WORD') return 'timed_choice';
  if (subSkillCode.startsWith('RC_')) return 'passage_mcq';
  const read = readSubSkills.has(subSkillCode) || /^(VOC|MOR)_/.test(subSkillCode);
  return read ? 'mcq_text' : 'mcq_audio';
}

/** Sounds and meanings: the options are said, so that nobody fails for not reading them. */
export const speaksOptions = (subSkillCode: string): boolean => /^(PA|LIS|VOC|MOR)_/.test(subSkillCode);

/** The heard word itself is the right answer, to be found among its neighbours in print. */
export const asksHeardWord = (subSkillCode: string): boolean =>
  /^(DEC|ACC|SPL)_/.test(subSkillCode) && subSkillCode !== 'DEC_UNVOWELLED';

/** Sentences are heard, and the question with them. */
export const isListening = (subSkillCode: string): boolean => subSkillCode.startsWith('LIS_');

/** Options are words or sentences with a meaning: their form must not tell which is right. */
export const asksMeaning = (subSkillCode: string): boolean => /^(LIS|VOC|RC)_/.test(subSkillCode);

/** Reading without marks is what these two measure: of the one the sentence, of the other the strings stand bare. */
export const isUnvowelled = ({ subSkillCode, gradeBand }: CellName): boolean =>
  subSkillCode === 'DEC_UNVOWELLED' || (subSkillCode === 'FLU_WORD' && gradeBand === 'G34');
