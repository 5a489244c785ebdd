// Simulated children of the walkthrough. They see what a real screen shows and have no key: each chooses the option
// most similar to the prompt, and a random one among equals.
import { type Random, randomStream } from '../engine/random.ts';

/** The visible part of an item. */
export interface SeenItem {
  readonly servedItemId: string;
  readonly prompt: { readonly text: string; readonly speech: string; readonly passage: string | null };
  readonly options: readonly { readonly index: number; readonly text: string }[];
  readonly expectedSeconds: number;
}

export interface ReaderChoice {
  readonly selectedOptionIndex: number;
  /** Time until the answer, in milliseconds. */
  readonly thinkMs: number;
}

export interface Reader {
  readonly description: string;
  choose(item: SeenItem, random: Random): ReaderChoice;
}

/**
 * Answers faster than a tenth of the expected time, or than 0.8 s, count as rapid guesses (RBM); these children are
 * slower.
 */
const thinkingMs = (expectedSeconds: number) => Math.max(800, 100 * expectedSeconds) + 150;

const withoutMarks = (text: string) => text.normalize('NFC').replace(/[\u064B-\u0652\u0670\u0640]/g, '');

/** Groups of letters that differ in dots only or sound alike. */
const lookalikes = ['بتثني', 'جحخ', 'دذ', 'رز', 'سشص', 'ضط', 'ظع', 'غفق', 'أإآا', 'ةه'];
const blurred = (text: string) =>
  [...withoutMarks(text)].map((letter) => lookalikes.find((group) => group.includes(letter))?.[0] ?? letter).join('');

function likest(see: (text: string) => string) {
  return ({ prompt, options, expectedSeconds }: SeenItem, random: Random): ReaderChoice => {
    const known = pairs(see(`${prompt.speech} ${prompt.passage ?? ''}`));
    const scored = options.map(({ index, text }) => ({ index, likeness: shareIn(pairs(see(text)), known) }));
    const best = Math.max(...scored.map(({ likeness }) => likeness));
    const { index } = random.pick(scored.filter(({ likeness }) => likeness === best));
    return { selectedOptionIndex: index, thinkMs: thinkingMs(expectedSeconds) };
  };
}

/** Returns the pairs of adjacent characters; a single character is its own pair. */
function pairs(text: string): Set<string> {
  const letters = [...text.trim()];
  return new Set(letters.length < 2 ? letters : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`));
}

const shareIn = (own: ReadonlySet<string>, known: ReadonlySet<string>): number =>
  own.size === 0 ? 0 : [...own].filter((pair) => known.has(pair)).length / own.size;

export const readers: Readonly<Record<string, Reader>> = {
  careful: { description: 'looks at letters and marks', choose: likest((text) => text.normalize('NFC')) },
  'weak-decoding': { description: 'mixes up letters that look alike', choose: likest(blurred) },
  'marks-blind': { description: 'sees the letters and not the marks', choose: likest(withoutMarks) },
  guessing: {
    description: 'taps at once, wherever',
    choose: ({ options }, random) => ({ selectedOptionIndex: random.pick(options).index, thinkMs: 300 }),
  },
};

export const randomFor = (name: string): Random => randomStream(`walkthrough/${name}`);
