// Students who joined or left a group since the generation before.
import type { ClassPartition } from './generation.ts';

type Grouped = Pick<ClassPartition, 'individualReview' | 'moreDataNeeded'> & {
  readonly clusters: readonly { readonly clusterKey: string; readonly memberStudentIds: readonly number[] }[];
};

export const leftReasons = ['other_cluster', 'individualReview', 'moreDataNeeded', 'dropped', 'left_class'] as const;
export type LeftReason = (typeof leftReasons)[number];

export interface GroupChanges {
  readonly entered: readonly { readonly studentId: number; readonly clusterKey: string }[];
  readonly left: readonly {
    readonly studentId: number;
    readonly clusterKey: string;
    readonly reasonCode: LeftReason;
  }[];
}

/** Sorted by student. `enrolled`: the present students of the class. Null for the first generation. */
export function changesSince(before: Grouped | null, now: Grouped, enrolled: ReadonlySet<number>): GroupChanges | null {
  if (!before) return null;
  const [old, fresh] = [keysOf(before), keysOf(now)];
  const reasonOf = reasonsIn(now, fresh, enrolled);
  return {
    entered: [...fresh]
      .filter(([studentId, clusterKey]) => old.get(studentId) !== clusterKey)
      .map(([studentId, clusterKey]) => ({ studentId, clusterKey }))
      .sort(byStudent),
    left: [...old]
      .filter(([studentId, clusterKey]) => fresh.get(studentId) !== clusterKey)
      .map(([studentId, clusterKey]) => ({ studentId, clusterKey, reasonCode: reasonOf(studentId) }))
      .sort(byStudent),
  };
}

const keysOf = ({ clusters }: Grouped): Map<number, string> =>
  new Map(
    clusters.flatMap(({ clusterKey, memberStudentIds }) => memberStudentIds.map((id) => [id, clusterKey] as const)),
  );

const byStudent = (a: { readonly studentId: number }, b: { readonly studentId: number }): number =>
  a.studentId - b.studentId;

function reasonsIn(now: Grouped, fresh: ReadonlyMap<number, string>, enrolled: ReadonlySet<number>) {
  const idsOf = (list: readonly { readonly studentId: number }[]) => new Set(list.map(({ studentId }) => studentId));
  const [review, moreData] = [idsOf(now.individualReview), idsOf(now.moreDataNeeded)];
  return (studentId: number): LeftReason => {
    if (fresh.has(studentId)) return 'other_cluster';
    if (review.has(studentId)) return 'individualReview';
    if (moreData.has(studentId)) return 'moreDataNeeded';
    return enrolled.has(studentId) ? 'dropped' : 'left_class';
  };
}
