// What is kept of a row of an uploaded file, however its set's version writes it.
import type { RosterRole } from '../provider.ts';

export const sourceFiles = ['agents', 'classes', 'courses', 'enrollments', 'roles', 'users'] as const;
export type SourceFile = (typeof sourceFiles)[number];

export interface ClassContent {
  readonly name: string;
  readonly section: string | null;
  /** Those that the row names and that the service teaches. */
  readonly grades: readonly number[];
  readonly active: boolean;
  readonly deleted?: Deleted;
}

/** The source deletes the row, which need not say anything else: laid over a stored one it leaves the rest as it was. */
type Deleted = true;

export interface CourseContent {
  readonly grades: readonly number[];
}

export interface UserContent {
  /** Given, middle, family. */
  readonly names: readonly (string | null)[];
  readonly email: string | null;
  /** Of version 1.1; 1.2 has them in a file of their own. */
  readonly roles: readonly RosterRole[];
  readonly grade: number | null;
  readonly active: boolean;
  /** A cell cannot be read. */
  readonly isBad: boolean;
  readonly deleted?: Deleted;
}

export interface RoleContent {
  readonly role: RosterRole;
  /** YYYY-MM-DD */
  readonly from: string | null;
  readonly to: string | null;
  readonly active: boolean;
  readonly isBad: boolean;
  readonly deleted?: Deleted;
}

export interface EnrollmentContent {
  readonly role: RosterRole;
  readonly primary: boolean;
  /** YYYY-MM-DD */
  readonly from: string | null;
  readonly to: string | null;
  readonly active: boolean;
  readonly isBad: boolean;
  readonly deleted?: Deleted;
}

/** Rows whose dates are settled when the whole file was read. */
export type DatedContent = RoleContent | EnrollmentContent;

/**
 * As it is stored. `parentId`: of a class its course, of an enrollment its class. `personId`: of a role or an enrollment.
 * An agent is the parent of the person, in either direction.
 */
export interface SourceRow {
  readonly file: SourceFile;
  readonly externalId: string;
  readonly parentId: string | null;
  readonly personId: string | null;
  readonly content:
    | ClassContent
    | CourseContent
    | UserContent
    | RoleContent
    | EnrollmentContent
    | Readonly<Record<string, never>>;
}
