// What the report on a class is printed from.
import type { StudentBand } from '../../aggregates/index.ts';
import type { BandWords } from './bands.ts';

export interface ClassReport {
  readonly organizationName: string;
  readonly schoolName: string;
  readonly className: string;
  readonly gradeAr: string;
  readonly teachers: readonly string[];
  readonly schoolYear: string;
  /** Local date and time of the newest run; null before the first one. */
  readonly asOf: string | null;
  readonly versions: readonly string[];
  /** Stands in the file: the same facts give the same bytes. */
  readonly madeAt: Date;
  readonly bands: readonly BandWords[];
  readonly tiles: readonly string[];
  /** In alphabetical order; a band a tile, in their order. */
  readonly students: readonly {
    readonly name: string;
    /** Where the name takes more than a line. */
    readonly shortName: string;
    readonly bands: readonly StudentBand[];
  }[];
  readonly waiting: readonly WaitingStudent[];
  /** Of the plan for the class. */
  readonly allMinutes: number;
  readonly movements: readonly Movement[];
  readonly groups: readonly { readonly titleAr: string; readonly members: readonly (readonly string[])[] }[];
}

export interface WaitingStudent {
  readonly name: string;
  /** Nothing is decided, or there is no result yet. */
  readonly isHalted: boolean;
  /** Names of areas of the season that were not measured in it. */
  readonly unmeasured: readonly string[];
  /** None of the areas of the season was. */
  readonly isComplete: boolean;
  readonly actionAr: string;
  readonly minutes: number | null;
}

export interface Movement {
  readonly tileAr: string;
  readonly from: StudentBand;
  readonly to: StudentBand;
  readonly count: number;
}
