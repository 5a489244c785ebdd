// Counts the students of a class, without a database: for today, or for a season that is released.
import type { CountedTile } from '../../catalogue.ts';
import { type Season, seasons, type sufficiencyBands } from '../../enums.ts';
import { type AggregateBand, aggregateBands } from '../../rules/bands.ts';

/** The last run of the school year; null before the first one. */
export interface LastRun {
  /** ISO 8601. */
  readonly asOf: string;
  readonly halted: boolean;
  readonly tiles: readonly { readonly tileCode: string; readonly status: string }[];
  readonly ruleVersions: Readonly<Record<string, number>>;
}

export type SufficiencyBand = (typeof sufficiencyBands)[number];

export interface CountedStudent {
  readonly studentId: number;
  readonly run: LastRun | null;
  readonly sufficiency: SufficiencyBand;
  /** Sub-skills measured in the school year, by season. */
  readonly measured: ReadonlyMap<Season, readonly string[]>;
}

export interface CountedClass {
  readonly classId: number;
  readonly schoolId: string;
  readonly grade: number;
}

export interface TileCount {
  readonly tileCode: string;
  /** 0 where the tile has no sub-skills in the grade of the class. */
  readonly students: number;
  readonly counts: Readonly<Record<AggregateBand, number>>;
}

export interface ClassCounts extends CountedClass {
  readonly students: number;
  /** Number of measured students, by season. */
  readonly measured: Readonly<Record<Season, number>>;
  readonly sufficiency: Readonly<Record<SufficiencyBand, number>>;
  readonly tiles: readonly TileCount[];
  /** Moment of the newest run contained; null without a run. */
  readonly asOf: string | null;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

/**
 * With `season`, only measurements of that season count, so that the counts of two seasons never form one equation. By
 * default all measurements of the school year count.
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
    measured: byValue(seasons, (value) => students.filter(({ measured }) => measured.has(value)).length),
    sufficiency: byValue(['sufficient', 'insufficient', 'contextual'], (value) => {
      return students.filter((student) => sufficiencyIn(student, season) === value).length;
    }),
    tiles: tiles.map((tile) => countTile(tile, tile.grades.has(ofClass.grade) ? students : [], season)),
    asOf: newest?.asOf ?? null,
    ruleVersions: newest?.ruleVersions ?? {},
  };
}

/** Students who were not measured in the season count as insufficient. */
const sufficiencyIn = ({ sufficiency, measured }: CountedStudent, season: Season | undefined): SufficiencyBand =>
  season && !measured.has(season) ? 'insufficient' : sufficiency;

function countTile(tile: CountedTile, students: readonly CountedStudent[], season: Season | undefined): TileCount {
  const found = students.map((student) => bandOf(tile, student, season));
  return {
    tileCode: tile.tileCode,
    students: students.length,
    counts: byValue(aggregateBands, (band) => found.filter((one) => one === band).length),
  };
}

/** Students who are halted, have no run or have no ordered status count as More_Data. */
function bandOf(tile: CountedTile, { run, measured }: CountedStudent, season: Season | undefined): AggregateBand {
  if (run === null || run.halted) return 'More_Data';
  if (season && !measured.get(season)?.some((code) => tile.subSkills.has(code))) return 'More_Data';
  const status = run.tiles.find(({ tileCode }) => tileCode === tile.tileCode)?.status;
  return aggregateBands.find((band) => band === status) ?? 'More_Data';
}

/** Among runs of the same moment, returns the first one in the order of students. */
const newestRun = (students: readonly CountedStudent[]): LastRun | null =>
  students.reduce<LastRun | null>(
    (newest, { run }) => (run !== null && (newest === null || run.asOf > newest.asOf) ? run : newest),
    null,
  );

const byValue = <Value extends string>(
  values: readonly Value[],
  count: (value: Value) => number,
): Record<Value, number> => Object.fromEntries(values.map((value) => [value, count(value)])) as Record<Value, number>;
