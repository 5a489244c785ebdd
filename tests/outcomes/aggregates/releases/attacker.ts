// Keeps every number that was ever published, compares them, and derives the possible values of suppressed counts.
import { type Known, type KnownSchool, type Range, rangesOf } from '../engine/ranges.ts';
import type { Reading, Reported } from './reader.ts';

export interface Place {
  readonly id: string;
  readonly classIds: readonly string[];
  /** Children who are in no aggregate. */
  readonly uncounted: number;
}

type Cell = Pick<Reported, 'students' | 'row'>;

export class Attacker {
  /** Published numbers of a unit, by season, statistic and subject. */
  readonly cells = new Map<string, Map<string, Cell>>();
  /** Findings: a number that changed, or that contradicts others. */
  readonly contradictions: string[] = [];
  /** By school and season. */
  readonly #out = new Set<string>();
  /** By school and season, of coverage on the day of its release or the last one before. */
  readonly #unmeasured = new Map<string, number>();

  hear(reading: Reading): void {
    for (const { schoolId, season, count } of reading.unmeasured) {
      const key = `${schoolId} ${season}`;
      if (!this.#out.has(key)) this.#unmeasured.set(key, count);
    }
    for (const { about, unit } of reading.told) this.#out.add(`${unit} ${about.split(' ')[1]}`);
    for (const reported of reading.told) this.#keep(reported);
    for (const { about, unit, students, bands, value } of reading.shares) {
      const row = this.cells.get(about)?.get(unit)?.row;
      const counts = bands.map((band) => row?.[band] ?? null);
      const sum = counts.includes(null) || students === 0 ? null : counts.reduce<number>((a, b) => a + (b ?? 0), 0);
      if ((sum === null) !== (value === null) || (sum !== null && Math.round(students * (value ?? 0)) !== sum))
        this.contradictions.push(`${about} ${unit}: a share of ${value} where ${JSON.stringify(row)} is shown`);
    }
  }

  #keep({ about, unit, ...cell }: Reported): void {
    const units = this.cells.get(about) ?? new Map<string, Cell>();
    this.cells.set(about, units);
    const before = units.get(unit);
    if (before && JSON.stringify(sorted(before)) !== JSON.stringify(sorted(cell)))
      this.contradictions.push(`${about} ${unit}: ${JSON.stringify(before)} became ${JSON.stringify(cell)}`);
    if (!before) units.set(unit, cell);
  }

  /** By season, statistic and subject, and then by `unit/band`. */
  ranges(schools: readonly Place[]): ReadonlyMap<string, ReadonlyMap<string, Range>> {
    const found = new Map<string, ReadonlyMap<string, Range>>();
    for (const [about, units] of this.cells) {
      const ranges = rangesOf(this.#known(about, units, schools));
      if (ranges) found.set(about, ranges);
      else this.contradictions.push(`${about}: nothing fits`);
    }
    return found;
  }

  #known(about: string, units: ReadonlyMap<string, Cell>, schools: readonly Place[]): Known {
    const bands = Object.keys([...units.values()][0]?.row ?? {});
    return {
      bands,
      organization: units.get('')?.row,
      schools: schools.flatMap(({ id, classIds, uncounted }): KnownSchool[] => {
        const own = units.get(id);
        if (!own || own.students === 0) return [];
        const classes = classIds.flatMap((classId) => {
          const cell = units.get(classId);
          return cell && cell.students > 0 ? [{ id: classId, size: cell.students, row: cell.row }] : [];
        });
        const whole = [{ id: `${id}, whole`, size: own.students, row: {} }];
        const parts = classes.length > 0 ? classes : whole;
        return [{ id, row: own.row, parts, atLeast: this.#atLeast(about, id, own.students, uncounted) }];
      }),
    };
  }

  /** Who was not measured is in the lowest band; those of classes that are too small may be among them. */
  #atLeast(about: string, schoolId: string, students: number, uncounted: number): Readonly<Record<string, number>> {
    const [, season, space = ''] = about.split(' ');
    const band = lowestBands[space];
    const count = (this.#unmeasured.get(`${schoolId} ${season}`) ?? 0) - uncounted;
    return band ? { [band]: Math.max(0, Math.min(count, students)) } : {};
  }
}

const lowestBands: Readonly<Record<string, string>> = {
  tile: 'More_Data',
  sufficiency: 'insufficient',
  square: 'none',
};

const sorted = ({ students, row }: Cell) => [students, Object.entries(row).toSorted()];
