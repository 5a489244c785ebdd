// How the students of a class are called on paper: by their full names, and where two have the same one, by a letter behind it
// (contract 70 §7). It is one and the same wherever the name stands, so that a slip finds its way back.
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import { foldText } from '../fold/fold.ts';
import { plainName } from './first-name.ts';

export interface Classmate {
  readonly studentId: number;
  readonly fullNameAr: string;
}

export interface PaperName {
  /** With the letter behind it, where somebody else in the class has the name. */
  readonly fullNameAr: string;
  readonly isShared: boolean;
}

const letters = 'أ ب ج د هـ و ز ح ط ي ك ل م ن س ع ف ص ق ر ش ت ث خ ذ ض ظ غ'.split(' ');

/** After the last letter come two of them. */
function letterAt(at: number): string {
  const own = letters[at % letters.length] ?? '';
  return at < letters.length ? own : `${letterAt(Math.floor(at / letters.length) - 1)} ${own}`;
}

/** `classmates`: all students of one class, in any order. By student. */
export function paperNames(classmates: readonly Classmate[]): ReadonlyMap<number, PaperName> {
  const byName = grouped(
    classmates.map(({ studentId, fullNameAr }) => ({ studentId, fullNameAr: plainName(fullNameAr) })),
    ({ fullNameAr }) => foldText(fullNameAr).text.trim(),
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

/** For staff: with the number that the school knows the student by, where the name alone does not say who it is. */
export const staffName = ({ fullNameAr, isShared }: PaperName, externalId: string | null): string =>
  isShared && externalId !== null ? `${fullNameAr} – ${externalId}` : fullNameAr;
