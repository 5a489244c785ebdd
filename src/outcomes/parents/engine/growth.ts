// What a family reads of a child's growth, as `growth-trend/tile` says it: labels, periods, trajectories, the letter's words.

import type { TileStatus } from '#assessment/skill-status/engine/index.ts';
import { type Season, seasons } from '#rules/catalogue/engine/index.ts';
import { type DocumentName, firstHit, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { type Trajectory, trajectories } from './enums.ts';

export const growthDocument: DocumentName = 'growth-trend/tile';

/** Worst to best: between these a direction is told. */
const orderedValues = ['Severe', 'Below', 'Approaching', 'Meets'] as const;
type OrderedValue = (typeof orderedValues)[number];

const placeOf = (value: TileStatus): number => orderedValues.indexOf(value as OrderedValue);
const isOrdered = (value: TileStatus): boolean => placeOf(value) >= 0;

/** The worst of several that are on the scale; undefined where none is. */
export const worstOrdered = (values: readonly TileStatus[]): TileStatus | undefined =>
  orderedValues.find((value) => values.includes(value));

const movements = ['worse', 'same', 'better'] as const;

interface GrowthFacts extends Readonly<Record<string, boolean | number | string>> {
  readonly halted: boolean;
  readonly points: number;
  readonly movement: (typeof movements)[number];
}

export interface Growth {
  /** Throws RangeError for a key that the document lacks: `compileGrowth` has asked for all that are used. */
  word(key: string): string;
  /** `values`: the child's tile, season by season, oldest first. */
  trajectoryOf(halted: boolean, values: readonly TileStatus[]): Trajectory;
}

const tileLabels = ['Meets', 'Approaching', 'Below', 'Severe', 'Partial', 'Contextual', 'Not_Assessed', 'halted'];
const letterWords = [
  ...['title', 'greeting', 'seen', 'home', 'next', 'next.sentence', 'slip', 'slip.guardian', 'slip.notes'],
  ...['slip.teacher', 'moreData'],
];

/** Every word that code asks for but those of tiles, which the catalogue lists. */
const neededWords: readonly string[] = [
  ...tileLabels.map((value) => `label.${value}`),
  ...seasons.map((season: Season) => `period.${season}`),
  ...trajectories.map((trajectory) => `trajectory.${trajectory}`),
  ...letterWords.map((word) => `letter.${word}`),
];

/** Throws BundleError when the document is missing, RangeError when it lacks a word or says one that is not known. */
export function compileGrowth(bundle: RuleBundle, tileCodes: readonly string[]): Growth {
  const table = bundle.table(growthDocument);
  const { messages = {} } = table.document;
  const word = (key: string): string => {
    const message = messages[key];
    if (!message) throw new RangeError(`${growthDocument} has no ${key}`);
    return message.ar;
  };
  for (const key of [...neededWords, ...tileCodes.map((code) => `sentence.${code}`)]) word(key);
  const trajectoryBy = firstHit<GrowthFacts, Trajectory>(
    table,
    (of) => {
      const [halted, points, movement] = [of.flag('halted'), of.number('points'), of.word('movement')];
      return (facts) => halted(facts.halted) & points(facts.points) & movement(facts.movement);
    },
    (answer) => answer.word('outcome', trajectories),
  );
  return { word, trajectoryOf: (halted, values) => trajectoryBy(factsOf(halted, values.filter(isOrdered))) };
}

/** Of fewer than two the movement is `same`. */
function factsOf(halted: boolean, values: readonly TileStatus[]): GrowthFacts {
  const [before, newest] = values.slice(-2).map(placeOf);
  const step = before === undefined || newest === undefined ? 0 : Math.sign(newest - before);
  return { halted, points: values.length, movement: movements[step + 1] ?? 'same' };
}
