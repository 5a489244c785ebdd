// What a long job is about, as screens link it.
import type { ImpactScope } from '../impact/input.ts';

export const jobSubjectTypes = ['rule_change', 'organization', 'school', 'class', 'platform'] as const;

export interface JobSubject {
  readonly type: (typeof jobSubjectTypes)[number];
  /** Null for the whole platform. */
  readonly id: string | null;
}

interface SubjectColumns {
  readonly kind: ListedKind;
  readonly subject: string;
  readonly organizationId: string | null;
  /** The scope of a requested replay; a nightly one has none and is about its organization. */
  readonly scope: ImpactScope | null;
}

/** The kinds of jobs that people order and look at. */
export const listedKinds = ['impact', 'replay'] as const;
export type ListedKind = (typeof listedKinds)[number];

/** An impact is about what it simulates, a replay about the students whose runs it repeats. */
export function subjectOfJob({ kind, subject, organizationId, scope }: SubjectColumns): JobSubject {
  if (kind === 'impact') return { type: 'rule_change', id: subject };
  if (scope && 'schoolId' in scope) return { type: 'school', id: scope.schoolId };
  if (scope && 'classId' in scope) return { type: 'class', id: String(scope.classId) };
  return organizationId === null ? { type: 'platform', id: null } : { type: 'organization', id: organizationId };
}
