// The facts that the class report is printed from.
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
  /** Creation date in the PDF: equal facts give equal bytes. */
  readonly madeAt: Date;
  readonly bands: readonly BandWords[];
  readonly tiles: readonly string[];
  /** In alphabetical order. `bands` has one band for each tile, in their order. */
  readonly students: readonly {
    readonly name: string;
    /** Used when the name needs more than one line. */
    readonly shortName: string;
    readonly bands: readonly StudentBand[];
  }[];
  readonly waiting: readonly WaitingStudent[];
  /** Minutes of the measurement plan of the class. */
  readonly allMinutes: number;
  readonly movements: readonly Movement[];
  readonly groups: readonly { readonly titleAr: string; readonly members: readonly (readonly string[])[] }[];
}

export interface WaitingStudent {
  readonly name: string;
  /** Whether the student is halted or has no result yet. */
  readonly isHalted: boolean;
  /** Names of the season's areas that were not measured. */
  readonly unmeasured: readonly string[];
  /** Whether none of the season's areas was measured. */
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
