// Decides what a roster's person means for the accounts of the organization. A person is identified by the identity that an
// import has linked, else by the address of an active account, and never by a name.
import type { ConflictReason, RowAction, RowEntity, RowReasonCode } from '../enums.ts';
import type { RosterRole } from '../provider.ts';
import { isWhollyOther } from './normal.ts';

export type PersonEntity = Exclude<RowEntity, 'enrollment'>;
export type ImportedPersona = 'STUDENT' | 'TEACHER' | 'PARENT';

export const personaOf: Readonly<Record<PersonEntity, ImportedPersona>> = {
  student: 'STUDENT',
  teacher: 'TEACHER',
  guardian: 'PARENT',
};

export interface LocalPerson {
  readonly userId: number;
  readonly persona: string;
  readonly fullNameAr: string | null;
  readonly email: string | null;
  readonly status: string;
}

/** The values of the source at the last import. */
export interface PersonBase {
  readonly fullNameAr: string | null;
  readonly email: string | null;
  readonly active: boolean;
}

/** The other identities of an account that has several. */
export interface OtherIdentities {
  /** The source has one of them as active. */
  readonly isActive: boolean;
  /** The source had one of them as active at the last import. */
  readonly wasActive: boolean;
  /** One of them is active and comes before that of the row. */
  readonly isAhead: boolean;
  /** Their values of the last import: a local value that is one of these was not changed here. */
  readonly fullNames: readonly (string | null)[];
  readonly emails: readonly (string | null)[];
}

export interface PersonFacts {
  /** A cell of the row cannot be read, or the name or address is invalid. */
  readonly isBad: boolean;
  readonly isErased: boolean;
  /** The roles of the person and of their enrollments. */
  readonly roles: readonly RosterRole[];
  readonly fullNameAr: string;
  readonly email: string | null;
  readonly active: boolean;
  /** The number of people of the roster with this address. */
  readonly emailCount: number;
  readonly byIdentity: LocalPerson | null;
  /** An account of the same organization, active or not. */
  readonly byEmail: LocalPerson | null;
  readonly isEmailElsewhere: boolean;
  /** The account also has another id of the source, which the source still has. */
  readonly isShared: boolean;
  readonly base: PersonBase | null;
  /** The guardian has children who are students of the organization and not linked yet. */
  readonly hasNewChildren: boolean;
  readonly others: OtherIdentities | null;
}

export interface FieldChange {
  readonly field: 'fullNameAr' | 'email' | 'status' | 'classId' | 'to';
  readonly from: string | number | null;
  readonly to: string | number | null;
}

export interface PersonDecision {
  readonly entity: PersonEntity;
  readonly action: RowAction;
  readonly reasonCode: RowReasonCode;
  readonly local: LocalPerson | null;
  /** The changes that accepting the source makes. */
  readonly changes: readonly FieldChange[];
}

export function decidePerson(facts: PersonFacts): PersonDecision {
  const entity = entityOf(facts.roles);
  const skip = (reasonCode: RowReasonCode, local: LocalPerson | null = null): PersonDecision => ({
    entity,
    action: 'skip',
    reasonCode,
    local,
    changes: [],
  });
  if (facts.isErased) return skip('erased_person');
  if (facts.isBad) return skip('bad_value');
  // The source has deleted the person without further values, and no import has created them.
  if (!facts.active && facts.fullNameAr === '') return skip('inactive_at_source');
  if (importedRoles(facts.roles).length === 0) return skip('role_not_imported');
  const local = facts.byIdentity ?? (facts.byEmail?.status === 'active' ? facts.byEmail : null);
  const conflict = identityConflict(facts, entity, local);
  if (conflict) {
    const shown = conflict === 'email_in_other_organization' && !facts.byIdentity ? null : local;
    const changes = changesOfAccepted(facts, entity);
    return { entity, action: 'conflict', reasonCode: conflict, local: shown, changes };
  }
  if (!local) {
    return facts.active
      ? { entity, action: 'create', reasonCode: 'new_person', local, changes: [] }
      : skip('inactive_at_source');
  }
  const { changes, isKept, isNewer } = compareFields(facts, local);
  if (isNewer) return { entity, action: 'conflict', reasonCode: 'local_newer', local, changes };
  if (isOtherPerson(facts, changes)) {
    return { entity, action: 'conflict', reasonCode: 'identity_changed', local, changes };
  }
  const isLinked = facts.byIdentity !== null && facts.base !== null;
  if (changes.length > 0 || !isLinked || facts.hasNewChildren) {
    return { entity, action: 'update', reasonCode: 'changed', local, changes };
  }
  return skip(isKept ? 'kept_local' : 'unchanged', local);
}

const importedRoles = (roles: readonly RosterRole[]): PersonEntity[] =>
  (['teacher', 'guardian', 'student'] as const).filter((role) => roles.includes(role));

export const entityOf = (roles: readonly RosterRole[]): PersonEntity => importedRoles(roles)[0] ?? 'student';

function identityConflict(
  facts: PersonFacts,
  entity: PersonEntity,
  local: LocalPerson | null,
): ConflictReason | undefined {
  const { roles, byIdentity, byEmail, email, emailCount } = facts;
  if (importedRoles(roles).length > 1) return 'email_belongs_to_other_persona';
  const named = [byIdentity, byEmail].filter((one) => one !== null);
  if (named.some(({ persona }) => persona !== personaOf[entity])) return 'email_belongs_to_other_persona';
  const isOwnEmail = email !== null && byIdentity?.email === email;
  if (facts.isShared || (!isOwnEmail && emailCount > 1)) return 'ambiguous_email';
  if (byEmail && byIdentity ? byEmail.userId !== byIdentity.userId : byEmail && byEmail.status !== 'active') {
    return 'ambiguous_email';
  }
  if (facts.isEmailElsewhere) return 'email_in_other_organization';
  if (!local && email === null && entity !== 'student') return 'missing_email_and_id';
  return undefined;
}

/**
 * When an administrator accepts the source, the linked account gets all changes but the address: a student is imported
 * without it.
 */
function changesOfAccepted(facts: PersonFacts, entity: PersonEntity): readonly FieldChange[] {
  const { byIdentity } = facts;
  if (entity !== 'student' || byIdentity?.persona !== personaOf[entity]) return [];
  return compareFields(facts, byIdentity).changes.filter(({ field }) => field !== 'email');
}

/**
 * Returns whether the source has given the id to another person: the name has no word in common with that of the last import,
 * and the address does not show that it is the same person.
 */
function isOtherPerson({ fullNameAr, email, base }: PersonFacts, changes: readonly FieldChange[]): boolean {
  if (!base || !changes.some(({ field }) => field === 'fullNameAr') || !isWhollyOther(base.fullNameAr, fullNameAr)) {
    return false;
  }
  return email === null ? base.email === null : email !== base.email;
}

interface FieldComparison {
  readonly changes: readonly FieldChange[];
  /** A field was changed locally and not at the source. */
  readonly isKept: boolean;
  /** A field was changed on both sides to different values. */
  readonly isNewer: boolean;
}

const statusOf = (active: boolean) => (active ? 'active' : 'inactive');

/**
 * An account with several identities is inactive when all of them are, and has name and address of the first that is active;
 * when none is, they stay.
 */
const isNamedBy = ({ active, others }: PersonFacts): boolean => others === null || (active && !others.isAhead);

/**
 * Compares field by field with the last import. Before the first import the local values count as those of the last import.
 */
function compareFields(facts: PersonFacts, local: LocalPerson): FieldComparison {
  const { fullNameAr, email, active, base, others } = facts;
  const isImported = (values: readonly (string | null)[] | undefined, here: string | null) =>
    base === null || values?.includes(here) === true;
  const wasName = isImported(others?.fullNames, local.fullNameAr) ? local.fullNameAr : base?.fullNameAr;
  const wasEmail = isImported(others?.emails, local.email) ? local.email : base?.email;
  const named = [
    { field: 'fullNameAr', there: fullNameAr, here: local.fullNameAr, was: wasName },
    { field: 'email', there: email ?? local.email, here: local.email, was: wasEmail },
  ] as const;
  const there = statusOf(active || others?.isActive === true);
  const was = base ? statusOf(base.active || others?.wasActive === true) : local.status;
  const fields = [...(isNamedBy(facts) ? named : []), { field: 'status', there, here: local.status, was } as const];
  const differing = fields.filter(({ there, here }) => there !== here);
  const moved = differing.filter(({ there, was }) => there !== was);
  return {
    changes: moved.map(({ field, here, there }) => ({ field, from: here, to: there })),
    isKept: differing.length > moved.length,
    isNewer: moved.some(({ here, was }) => here !== was),
  };
}
