// What is true of the students of a class becomes counts, without a database: of today, or of a season as it is released.
import type { CountedTile } from '../../catalogue.ts';
import { type Season, seasons, type sufficiencyBands } from '../../enums.ts';
import { type AggregateBand, aggregateBands } from '../../rules/bands.ts';

/** What the last run of the school year has left of a student; null before the first one. */
export interface LastRun {
  /** ISO 8601. */
  readonly asOf: string;
  readonly halted: boolean;
  readonly tiles: readonly { readonly tileCode: string; readonly status: string }[];
  readonly ruleVersions: Readonly<Record<string, number>>;
}

export type Sufficiency = (typeof sufficiencyBands)[number];

export interface CountedStudent {
  readonly studentId: number;
  readonly run: LastRun | null;
  readonly sufficiency: Sufficiency;
  /** Sub-skills that were measured in a season of the school year. */
  readonly measured: ReadonlyMap<Season, readonly string[]>;
}

export interface CountedClass {
  readonly classId: number;
  readonly schoolId: string;
  readonly grade: number;
}

export interface TileCount {
  readonly tileCode: string;
  /** None where the tile has no sub-skills in the grade of the class. */
  readonly students: number;
  readonly counts: Readonly<Record<AggregateBand, number>>;
}

export interface ClassCounts extends CountedClass {
  readonly students: number;
  /** Students who were measured in a season. */
  readonly measured: Readonly<Record<Season, number>>;
  readonly sufficiency: Readonly<Record<Sufficiency, number>>;
  readonly tiles: readonly TileCount[];
  /** Of the newest run contained; null without any. */
  readonly asOf: string | null;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

/**
 * `season`: only what was measured in it counts, so that the counts of two seasons are never parts of one equation. Without
 * it everything does that the school year has shown.
 */
export function countClass(
  ofClass: CountedClass,
  students: readonly CountedStudent[],
  tiles: readonly CountedTile[],
  season?: Season,
): ClassCounts {
  const newest = newestRun(students);
  return {
    ...ofClass,
    students: students.length,
    measured: byWord(seasons, (word) => students.filter(({ measured }) => measured.has(word)).length),
    sufficiency: byWord(['sufficient', 'insufficient', 'contextual'], (word) => {
      return students.filter((student) => sufficiencyIn(student, season) === word).length;
    }),
    tiles: tiles.map((tile) => countTile(tile, tile.grades.has(ofClass.grade) ? students : [], season)),
    asOf: newest?.asOf ?? null,
    ruleVersions: newest?.ruleVersions ?? {},
  };
}

/** Of who was not measured in a season it says nothing. */
const sufficiencyIn = ({ sufficiency, measured }: CountedStudent, season: Season | undefined): Sufficiency =>
  season && !measured.has(season) ? 'insufficient' : sufficiency;

function countTile(tile: CountedTile, students: readonly CountedStudent[], season: Season | undefined): TileCount {
  const found = students.map((student) => bandOf(tile, student, season));
  return {
    tileCode: tile.tileCode,
    students: students.length,
    counts: byWord(aggregateBands, (band) => found.filter((one) => one === band).length),
  };
}

/** Halted, without a run, and without an ordered value: more data. */
function bandOf(tile: CountedTile, { run, measured }: CountedStudent, season: Season | undefined): AggregateBand {
  if (run === null || run.halted) return 'More_Data';
  if (season && !measured.get(season)?.some((code) => tile.subSkills.has(code))) return 'More_Data';
  const status = run.tiles.find(({ tileCode }) => tileCode === tile.tileCode)?.status;
  return aggregateBands.find((band) => band === status) ?? 'More_Data';
}

/** Of several runs of one moment the first in the order of the students. */
const newestRun = (students: readonly CountedStudent[]): LastRun | null =>
  students.reduce<LastRun | null>(
    (newest, { run }) => (run !== null && (newest === null || run.asOf > newest.asOf) ? run : newest),
    null,
  );

const byWord = <Word extends string>(words: readonly Word[], count: (word: Word) => number): Record<Word, number> =>
  Object.fromEntries(words.map((word) => [word, count(word)])) as Record<Word, number>;
