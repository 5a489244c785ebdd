// Whose evidence is a student's at a moment, and what of it is voided. A correction counts from its moment on and in
// nothing before, so that results of before stay what they were.
import { grouped } from '#core/platform/pure/lists/grouped.ts';
import type { evidenceKinds } from '../../enums.ts';

export type EvidenceKind = (typeof evidenceKinds)[number];

/** A row that stands from `at` on, and before `until` when it was taken back. ISO 8601 instants. */
interface Standing {
  readonly id: number;
  readonly at: string;
  readonly until: string | null;
}

export interface Merge extends Standing {
  readonly studentId: number;
  readonly intoStudentId: number;
}

export interface Void extends Standing {
  readonly kind: EvidenceKind;
  readonly refId: string;
}

/** Corrections at any moment. `at`: the end of the window, or `present`. */
export interface Corrections {
  /**
   * Returns the accounts whose evidence is the student's: the own one first, then merged ones ascending. Evidence of an
   * account that is merged into another one is none of its own.
   */
  accountsAt(studentId: number, at: Date): readonly number[];
  /** Returns the student whose evidence that of the account is; the account itself when it is not merged. */
  survivorAt(accountId: number, at: Date): number;
  /** Returns the id of the void that stands, or null. */
  voidAt(kind: EvidenceKind, refId: string, at: Date): number | null;
}

/** The moment of what stands now, by whatever clock it was written. */
export const present = new Date(8.64e15);

export function correctionsOf(merges: readonly Merge[], voids: readonly Void[]): Corrections {
  const into = grouped(merges, ({ intoStudentId }) => intoStudentId);
  const from = grouped(merges, ({ studentId }) => studentId);
  const ofEvidence = grouped(voids, keyOf);
  const mergedAt = (accountId: number, at: Date) => from.get(accountId)?.find((merge) => stands(merge, at));
  const below = (studentId: number, at: Date): number[] =>
    (into.get(studentId) ?? [])
      .filter((merge) => stands(merge, at))
      .flatMap((merge) => [merge.studentId, ...below(merge.studentId, at)]);
  return {
    accountsAt: (studentId, at) =>
      mergedAt(studentId, at) ? [] : [studentId, ...below(studentId, at).sort((left, right) => left - right)],
    survivorAt(accountId, at) {
      let survivor = accountId;
      for (let merge = mergedAt(survivor, at); merge; merge = mergedAt(survivor, at)) survivor = merge.intoStudentId;
      return survivor;
    },
    voidAt: (kind, refId, at) => ofEvidence.get(keyOf({ kind, refId }))?.find((one) => stands(one, at))?.id ?? null,
  };
}

/** Parallel lists of students and the accounts whose evidence is theirs, for `unnest` in a statement. */
export interface AccountPairs {
  readonly studentIds: readonly number[];
  readonly accountIds: readonly number[];
}

export function accountPairs(corrections: Corrections, studentIds: readonly number[], at: Date): AccountPairs {
  const pairs = studentIds.flatMap((studentId) =>
    corrections.accountsAt(studentId, at).map((accountId) => ({ studentId, accountId })),
  );
  return {
    studentIds: pairs.map(({ studentId }) => studentId),
    accountIds: pairs.map(({ accountId }) => accountId),
  };
}

const keyOf = ({ kind, refId }: Pick<Void, 'kind' | 'refId'>): string => `${kind} ${refId}`;

const stands = ({ at, until }: Standing, moment: Date): boolean =>
  Date.parse(at) <= moment.getTime() && (until === null || Date.parse(until) > moment.getTime());
