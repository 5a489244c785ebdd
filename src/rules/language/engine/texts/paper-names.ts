// Names of a class's students on paper: the full name, followed by a letter when classmates share it (contract 70 §7).
// The result is the same on every page, so that slips can be matched.
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import { foldName } from '../fold/names.ts';
import { plainName } from './first-name.ts';

export interface Classmate {
  readonly studentId: number;
  readonly fullNameAr: string;
}

export interface PaperName {
  /** The name, with a letter after it when a classmate has the same name. */
  readonly fullNameAr: string;
  readonly isShared: boolean;
}

const letters = 'أ ب ج د هـ و ز ح ط ي ك ل م ن س ع ف ص ق ر ش ت ث خ ذ ض ظ غ'.split(' ');

/** Returns the suffix by index; after the last letter, pairs of letters follow. */
function letterAt(at: number): string {
  const own = letters[at % letters.length] ?? '';
  return at < letters.length ? own : `${letterAt(Math.floor(at / letters.length) - 1)} ${own}`;
}

/** Returns the paper names by student. `classmates` are all students of one class, in any order. */
export function paperNames(classmates: readonly Classmate[]): ReadonlyMap<number, PaperName> {
  const byName = grouped(
    classmates.map(({ studentId, fullNameAr }) => ({ studentId, fullNameAr: plainName(fullNameAr) })),
    ({ fullNameAr }) => foldName(fullNameAr),
  );
  return new Map(
    [...byName.values()].flatMap((alike) =>
      alike
        .toSorted((one, other) => one.studentId - other.studentId)
        .map(({ studentId, fullNameAr }, at): [number, PaperName] => {
          const isShared = alike.length > 1 && fullNameAr !== '';
          return [studentId, { fullNameAr: isShared ? `${fullNameAr} (${letterAt(at)})` : fullNameAr, isShared }];
        }),
    ),
  );
}

/** Returns the name for staff, with the school's student number when the name is not unique. */
export const staffName = ({ fullNameAr, isShared }: PaperName, externalId: string | null): string =>
  isShared && externalId !== null ? `${fullNameAr} – ${externalId}` : fullNameAr;
