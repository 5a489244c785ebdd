// Items that speech synthesis cannot be trusted with: a voice that was made for sentences reads a lone sound as a letter's
// name, gives a blend away, and blurs the one difference that a minimal pair is about. They need recordings.
import { wordsOf } from './arabic-marks.ts';
import type { Item } from './item.ts';

export const risks = ['isolated_sound', 'blend', 'minimal_pair'] as const;
export type Risk = (typeof risks)[number];

/** Cells that ask about sounds; elsewhere a short word is a word, and a pause a gap in a sentence. */
const soundCells = /^(PA_|LK_SOUND|DEC_SYLLABLE)/;
/** A consonant with its vowel, short or long, or closed by a sukun. */
const lettersOfSound = 2;
const pause = /…| - /u;
/** Heard words whose wrong options sound otherwise; in spelling they sound the same. */
const heardApart = /^(PA|LK|DEC|ACC)_/;
const soundFamilies = ['phonological', 'vowel_mark'];

export function risksOf({ subSkillCode, itemType, prompt, options }: Item): Risk[] {
  const said = [prompt.speech, ...options.flatMap(({ speech }) => speech ?? [])];
  const isOfSounds = soundCells.test(subSkillCode);
  const isHeard = itemType === 'mcq_audio' && heardApart.test(subSkillCode);
  const found = {
    isolated_sound: isOfSounds && said.some(hasLoneSound),
    blend: isOfSounds && said.some((speech) => pause.test(speech)),
    minimal_pair: isHeard && options.some(({ errorFamily }) => soundFamilies.includes(errorFamily ?? '')),
  };
  return risks.filter((risk) => found[risk]);
}

const hasLoneSound = (speech: string): boolean => wordsOf(speech).some((letters) => letters.length <= lettersOfSound);
