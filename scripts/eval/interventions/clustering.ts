// Cases of clusters: the generation of a class, and whether a cluster may be assigned its bundle.
import { type BulkBody, type BulkQuestion, checkBulk } from '#support/interventions/engine/clustering/bulk-check.ts';
import type { ClassMember } from '#support/interventions/engine/clustering/partition.ts';
import type { Engines } from './engines.ts';

interface GenerationInput {
  readonly minimumSize: number;
  readonly students: readonly (Pick<ClassMember, 'studentId' | 'acuteOpen' | 'openBundles'> & {
    readonly recommendation: Omit<ClassMember, 'studentId' | 'acuteOpen' | 'openBundles' | 'independentRate'>;
  })[];
}

export function generationCase({ students, minimumSize }: GenerationInput, { clusters }: Engines) {
  const members = students.map(({ recommendation, ...student }) => ({
    ...recommendation,
    ...student,
    independentRate: null,
  }));
  const { clusters: found, individualReview, moreDataNeeded } = clusters.partition(members, minimumSize);
  return {
    clusters: found.map(({ teachingGroups: _notShown, classwide: _norThis, ...cluster }) => cluster),
    individualReview,
    moreDataNeeded,
  };
}

interface BulkInput {
  readonly body: BulkBody;
  /** The stored generation, and the current one. */
  readonly G: BulkQuestion['stored'];
  readonly F: BulkQuestion['fresh'];
  readonly open: BulkQuestion['openBundles'];
  readonly capacity: number;
}

export const bulkCase = ({ body, G, F, open, capacity }: BulkInput) =>
  checkBulk({ body, stored: G, fresh: F, openBundles: open, capacity });
