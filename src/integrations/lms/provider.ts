// The interface of all sources of rosters: uploaded files, OneRoster services, Google Classroom. Callers hold no transaction,
// because a source may send requests.
import type { Services } from '#core/module/services.ts';
import type { LmsConnection } from './connections/rows.ts';
import type { ConnectionKind, Provider, RunError } from './enums.ts';

export interface Course {
  /** Has 1–255 characters. */
  readonly courseExternalId: string;
  readonly name: string;
  readonly section: string | null;
  /** 1–4, or null when the source has no grade, several, or one that the service does not teach. */
  readonly grade: number | null;
  readonly active: boolean;
}

/** `other` is a role that is never imported: administrators, principals, aides and others. */
const rosterRoles = ['student', 'teacher', 'guardian', 'other'] as const;
export type RosterRole = (typeof rosterRoles)[number];

/**
 * A source yields one row for each person, in however many courses they are, and rows of guardians only when `guardians` is
 * set.
 */
export interface PersonRow {
  readonly kind: 'person';
  readonly externalId: string;
  /** Each role once. Empty when only enrollments have roles, or when all roles have ended. */
  readonly roles: readonly RosterRole[];
  /**
   * Given, middle and family name as the source has them; `fullName` joins and cleans them. Empty for a deleted person
   * without a name.
   */
  readonly names: readonly (string | null)[];
  /** As the source writes it. */
  readonly email: string | null;
  /** False when the person is disabled or deleted at the source. */
  readonly active: boolean;
  /** The grade of a student, 1–4. */
  readonly grade: number | null;
  /** The children of a guardian. */
  readonly childExternalIds: readonly string[];
}

export interface EnrollmentRow {
  readonly kind: 'enrollment';
  readonly courseExternalId: string;
  readonly personExternalId: string;
  readonly role: RosterRole;
  /** The person is the main teacher of the course. */
  readonly primary: boolean;
  /** YYYY-MM-DD. */
  readonly from: string | null;
  readonly to: string | null;
  readonly active: boolean;
}

/** A row of the source that cannot be imported. */
export interface FaultRow {
  readonly kind: 'fault';
  readonly entity: 'student' | 'teacher' | 'enrollment' | 'guardian';
  /** The id of the person, also for an enrollment. */
  readonly externalId: string;
  /** The course of an enrollment. */
  readonly courseExternalId: string | null;
  /** The role of an enrollment. `other`: the row may be any enrollment of the person in the course. */
  readonly role: RosterRole | null;
  readonly issue: 'bad_value' | 'unresolved_reference';
}

/** The course cannot be read. Its members are unknown, and no enrollment ends. */
export interface CourseGoneRow {
  readonly kind: UnreadCourse;
  readonly courseExternalId: string;
}

export type RosterRow = PersonRow | EnrollmentRow | FaultRow | CourseGoneRow;

/** `course_forbidden`: the source returns its other courses but not this one. */
export type UnreadCourse = 'course_gone' | 'course_forbidden';

export const isUnread = (row: RosterRow): row is CourseGoneRow =>
  row.kind === 'course_gone' || row.kind === 'course_forbidden';

/** The methods throw ProviderFault, and AppError `connection_revoked` (409) after they have revoked the connection. */
export interface RosterProvider {
  /** `inWorker`: no caller waits. Otherwise the method ends within twenty seconds. */
  listCourses(options?: CourseListOptions): Promise<Course[]>;
  /** Yields the people of these courses, their enrollments, and their guardians when `guardians` is set, in any order. */
  readRoster(courseExternalIds: readonly string[], options: RosterOptions): AsyncIterable<RosterRow>;
  /** Returns the right to read to the provider after the connection has ended. A failure has no consequence. */
  revoke(): Promise<void>;
}

export interface CourseListOptions {
  readonly inWorker: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface RosterOptions {
  readonly guardians: boolean;
  /** YYYY-MM-DD in the time zone of the organization. Roles that ended before do not count. */
  readonly today: string;
  /** Raised when the process is about to end or the caller no longer waits. */
  readonly signal?: AbortSignal;
}

/** A source could not be read. A waiting caller gets 503; a run ends with `error`. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
  readonly error: RunError;
  /** Whole seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined;

  constructor(error: RunError, message: string, retryAfter?: number) {
    super(message);
    this.error = error;
    this.retryAfter = retryAfter;
  }
}

/** Opens connections of one kind. `connection` was read in a transaction that has ended. */
export interface ProviderModel {
  readonly provider: Provider;
  readonly kind: ConnectionKind;
  open(services: Services, connection: LmsConnection): RosterProvider;
}

declare module '#core/module/capability.ts' {
  interface Capability {
    readonly rosterSources?: readonly ProviderModel[];
  }
}

/** Throws RangeError for a kind of connection that no capability brings. */
export function openSource(services: Services, connection: LmsConnection): RosterProvider {
  const models = services.capabilities.flatMap(({ rosterSources = [] }) => rosterSources);
  const model = models.find(({ provider, kind }) => provider === connection.provider && kind === connection.kind);
  if (!model) throw new RangeError(`there is no source for ${connection.provider} by ${connection.kind}`);
  return model.open(services, connection);
}
