// The interface of all sources of rosters: uploaded files, OneRoster services, Google Classroom. Callers hold no transaction,
// because a source may send requests.
import type { Services } from '#core/module/services.ts';
import type { LmsConnection } from './connections/rows.ts';
import type { ConnectionKind, Provider, RunError } from './enums.ts';

export interface Course {
  /** 1–255 characters. */
  readonly courseExternalId: string;
  readonly name: string;
  readonly section: string | null;
  /** 1–4; null where the source says none, several, or one that the service does not teach. */
  readonly grade: number | null;
  readonly active: boolean;
}

/** `other`: a role that is never imported (administrators, principals, aides, …). */
const rosterRoles = ['student', 'teacher', 'guardian', 'other'] as const;
export type RosterRole = (typeof rosterRoles)[number];

/** Once a person, whatever number of courses it is in. Guardians only where `guardians` is asked for. */
export interface PersonRow {
  readonly kind: 'person';
  readonly externalId: string;
  /** Each role once; none where only its enrollments tell, or where all have ended. */
  readonly roles: readonly RosterRole[];
  /** Given, middle and family name as they are: `fullName` joins and cleans them. Empty: deleted, and no name is said. */
  readonly names: readonly (string | null)[];
  /** As the source writes it. */
  readonly email: string | null;
  /** False: disabled or to be deleted at the source. */
  readonly active: boolean;
  /** Of a student, 1–4. */
  readonly grade: number | null;
  /** Of a guardian. */
  readonly childExternalIds: readonly string[];
}

export interface EnrollmentRow {
  readonly kind: 'enrollment';
  readonly courseExternalId: string;
  readonly personExternalId: string;
  readonly role: RosterRole;
  /** The main teacher of the course. */
  readonly primary: boolean;
  /** YYYY-MM-DD. */
  readonly from: string | null;
  readonly to: string | null;
  readonly active: boolean;
}

/** A row that says something but cannot be imported. */
export interface FaultRow {
  readonly kind: 'fault';
  readonly entity: 'student' | 'teacher' | 'enrollment' | 'guardian';
  /** Of the person; of an enrollment the person's. */
  readonly externalId: string;
  /** Of an enrollment. */
  readonly courseExternalId: string | null;
  /** Of an enrollment; `other`: it may be any of the person's in the course. */
  readonly role: RosterRole | null;
  readonly issue: 'bad_value' | 'unresolved_reference';
}

/** The course cannot be read: nothing is said of who is in it, and nobody's enrollment ends. */
export interface CourseGoneRow {
  readonly kind: UnreadCourse;
  readonly courseExternalId: string;
}

export type RosterRow = PersonRow | EnrollmentRow | FaultRow | CourseGoneRow;

/** `course_forbidden`: the source gives its other courses, and not this one. */
export type UnreadCourse = 'course_gone' | 'course_forbidden';

export const isUnread = (row: RosterRow): row is CourseGoneRow =>
  row.kind === 'course_gone' || row.kind === 'course_forbidden';

/** Methods throw ProviderFault, and AppError `connection_revoked` (409) once they have revoked the connection. */
export interface RosterProvider {
  /** `inWorker`: nobody waits for the answer. Else it comes within twenty seconds, or not at all. */
  listCourses(asking?: CoursesAsking): Promise<Course[]>;
  /** People of these courses, their enrollments, and their guardians where `guardians` is set, in any order. */
  readRoster(courseExternalIds: readonly string[], asking: RosterAsking): AsyncIterable<RosterRow>;
  /** Best effort, after the connection has ended. */
  revoke(): Promise<void>;
}

export interface CoursesAsking {
  readonly inWorker: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface RosterAsking {
  readonly guardians: boolean;
  /** YYYY-MM-DD, where the organization is: roles that ended before do not count. */
  readonly today: string;
  /** The process is about to end, or the caller waits no longer. */
  readonly signal?: AbortSignal;
}

/** A source could not be read. A caller who waits is told 503; a run ends with `error`. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
  readonly error: RunError;
  /** Whole seconds, where trying again may help. */
  readonly retryAfter: number | undefined;

  constructor(error: RunError, message: string, retryAfter?: number) {
    super(message);
    this.error = error;
    this.retryAfter = retryAfter;
  }
}

/** How connections of one kind are opened; `connection` was read in a transaction that has ended. */
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
  if (!model) throw new RangeError(`nobody reads ${connection.provider} by ${connection.kind}`);
  return model.open(services, connection);
}
