// Compiles `growth-trend/tile`: labels, periods, trajectories and the texts of the letter.

import type { TileStatus } from '#assessment/skill-status/engine/index.ts';
import { type Season, seasons } from '#rules/catalogue/engine/index.ts';
import { type DocumentName, firstHit, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { type Trajectory, trajectories } from './enums.ts';

export const growthDocument: DocumentName = 'growth-trend/tile';

/** Worst to best; a trajectory compares two of these. */
const orderedValues = ['Severe', 'Below', 'Approaching', 'Meets'] as const;
type OrderedValue = (typeof orderedValues)[number];

const rankOf = (value: TileStatus): number => orderedValues.indexOf(value as OrderedValue);
const isOrdered = (value: TileStatus): boolean => rankOf(value) >= 0;

/** Returns the worst ordered value; undefined when none is ordered. */
export const worstOrdered = (values: readonly TileStatus[]): TileStatus | undefined =>
  orderedValues.find((value) => values.includes(value));

const movements = ['worse', 'same', 'better'] as const;

interface GrowthFacts extends Readonly<Record<string, boolean | number | string>> {
  readonly halted: boolean;
  readonly points: number;
  readonly movement: (typeof movements)[number];
}

export interface FamilyGrowth {
  /** Throws RangeError for a key that the document lacks. `compileGrowth` checks all used keys. */
  word(key: string): string;
  /** `values` are the values of the child's tile by season, oldest first. */
  trajectoryOf(halted: boolean, values: readonly TileStatus[]): Trajectory;
}

const tileLabels = ['Meets', 'Approaching', 'Below', 'Severe', 'Partial', 'Contextual', 'Not_Assessed', 'halted'];
const letterWords = [
  ...['title', 'greeting', 'seen', 'home', 'next', 'next.sentence', 'slip', 'slip.guardian', 'slip.notes'],
  ...['slip.teacher', 'moreData'],
];

/** All keys used in code except those of tiles, which the catalogue lists. */
const neededWords: readonly string[] = [
  ...tileLabels.map((value) => `label.${value}`),
  ...seasons.map((season: Season) => `period.${season}`),
  ...trajectories.map((trajectory) => `trajectory.${trajectory}`),
  ...letterWords.map((word) => `letter.${word}`),
];

/** Throws BundleError when the document is missing, RangeError when it lacks a key or has an unknown outcome. */
export function compileGrowth(bundle: RuleBundle, tileCodes: readonly string[]): FamilyGrowth {
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

/** With fewer than two values the movement is `same`. */
function factsOf(halted: boolean, values: readonly TileStatus[]): GrowthFacts {
  const [before, newest] = values.slice(-2).map(rankOf);
  const step = before === undefined || newest === undefined ? 0 : Math.sign(newest - before);
  return { halted, points: values.length, movement: movements[step + 1] ?? 'same' };
}
