// The content that is stored of a row of an uploaded file, the same for all versions of OneRoster.
import type { RosterRole } from '../provider.ts';

export const sourceFiles = ['agents', 'classes', 'courses', 'enrollments', 'roles', 'users'] as const;
export type SourceFile = (typeof sourceFiles)[number];

export interface ClassContent {
  readonly name: string;
  readonly section: string | null;
  /** The grades of the row that the service teaches. */
  readonly grades: readonly number[];
  readonly active: boolean;
  readonly deleted?: Deleted;
}

/** The source deletes the row, which may have no other values: in a delta the stored values stay as they are. */
type Deleted = true;

export interface CourseContent {
  readonly grades: readonly number[];
}

export interface UserContent {
  /** Given, middle and family name. */
  readonly names: readonly (string | null)[];
  readonly email: string | null;
  /** The roles of version 1.1; in version 1.2 they are in a file of their own. */
  readonly roles: readonly RosterRole[];
  readonly grade: number | null;
  readonly active: boolean;
  /** A cell of the row cannot be read. */
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

export interface EnrollmentContent extends RoleContent {
  readonly primary: boolean;
}

/** Rows whose dates are settled when the whole file was read. */
export type DatedContent = RoleContent | EnrollmentContent;

/**
 * A row as it is stored. `parentId`: the course of a class, or the class of an enrollment. `personId`: the person of a role
 * or enrollment. An agent is the parent of the person, whichever of the two names the other.
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
