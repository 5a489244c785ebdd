// Lists items that need recordings, because speech synthesis cannot be trusted with them: it reads an isolated sound as
// a letter name, gives away a blend, and blurs minimal pairs.
import { wordsOfLetters } from './arabic-marks.ts';
import type { Item } from './item.ts';

export const risks = ['isolated_sound', 'blend', 'minimal_pair'] as const;
export type Risk = (typeof risks)[number];

/** Cells that ask about sounds; in other cells a short word is a word, and a pause separates sentences. */
const soundCells = /^(PA_|LK_SOUND|DEC_SYLLABLE)/;
/** Maximum letters of an isolated sound: a consonant with its short or long vowel, or closed by a sukun. */
const lettersOfSound = 2;
const pause = /…| - /u;
/** Cells in which wrong options sound different; in spelling cells they sound alike. */
const heardApart = /^(PA|LK|DEC|ACC)_/;
const soundFamilies = ['phonological', 'vowel_mark'];

export function risksOf({ subSkillCode, itemType, prompt, options }: Item): Risk[] {
  const spoken = [prompt.speech, ...options.flatMap(({ speech }) => speech ?? [])];
  const isOfSounds = soundCells.test(subSkillCode);
  const isHeard = itemType === 'mcq_audio' && heardApart.test(subSkillCode);
  const found = {
    isolated_sound: isOfSounds && spoken.some(hasLoneSound),
    blend: isOfSounds && spoken.some((speech) => pause.test(speech)),
    minimal_pair: isHeard && options.some(({ errorFamily }) => soundFamilies.includes(errorFamily ?? '')),
  };
  return risks.filter((risk) => found[risk]);
}

const hasLoneSound = (speech: string): boolean =>
  wordsOfLetters(speech).some((letters) => letters.length <= lettersOfSound);
