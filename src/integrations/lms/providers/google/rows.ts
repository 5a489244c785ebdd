// Converts rows of the Classroom API to rows of a roster.
import { accountEmail, isSourceEmail, maxNameLength } from '../../engine/normal.ts';
import type { Course, FaultRow, PersonRow, RosterRole } from '../../provider.ts';
import { jsonMember, textMember } from '../authorized.ts';
import { protocolFault } from '../faults.ts';

const mostIdLength = 255;

/** Throws ProviderFault `provider_protocol` when the row has no such id. */
export function idIn(row: unknown, name: string): string {
  const id = textMember(row, name);
  if (id === undefined || id.length > mostIdLength) throw protocolFault(`A row of the provider has no ${name}.`);
  return id;
}

export function courseOf(row: unknown): Course {
  const courseExternalId = idIn(row, 'id');
  return {
    courseExternalId,
    name: textMember(row, 'name') ?? courseExternalId,
    section: textMember(row, 'section') ?? null,
    grade: null,
    active: jsonMember(row, 'courseState') === 'ACTIVE',
  };
}

/** The part of a profile that an import reads. */
export interface GoogleProfile {
  /** Given, middle and family name, or the full name alone when Google has no parts. */
  readonly names: PersonRow['names'];
  readonly email: string | null;
}

export function googleProfileOf(profile: unknown): GoogleProfile {
  const name = jsonMember(profile, 'name');
  const parts = [textMember(name, 'givenName') ?? null, null, textMember(name, 'familyName') ?? null];
  const names = parts.some((part) => part !== null) ? parts : [textMember(name, 'fullName') ?? null, null, null];
  return { names, email: textMember(profile, 'emailAddress') ?? null };
}

export interface Profiled {
  readonly externalId: string;
  readonly profile: GoogleProfile;
  readonly roles: readonly RosterRole[];
  readonly childExternalIds: readonly string[];
}

export function personOf({ externalId, profile, roles, childExternalIds }: Profiled): PersonRow | FaultRow {
  const { names } = profile;
  const [entity = 'student'] = roles.filter((role) => role !== 'other');
  const isUsable =
    profile.email === null || (isSourceEmail(profile.email) && accountEmail(profile.email) !== undefined);
  // A student with an unusable address is imported without it.
  const email = isUsable || roles.some((role) => role !== 'student') ? profile.email : null;
  const length = names.filter((part) => part !== null).join(' ').length;
  if (length === 0 || length > maxNameLength || (email !== null && !isUsable)) {
    return { kind: 'fault', entity, externalId, courseExternalId: null, role: null, issue: 'bad_value' };
  }
  return { kind: 'person', externalId, roles, names, email, active: true, grade: null, childExternalIds };
}
