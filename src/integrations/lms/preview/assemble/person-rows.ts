// Decides what a commit does with a person of the roster, and makes the row of the preview.
import { newId } from '#core/platform/ids.ts';
import { isWhollyOther } from '../../engine/normal.ts';
import {
  decidePerson,
  type LocalPerson,
  type PersonBase,
  type PersonDecision,
  type PersonFacts,
  personaOf,
} from '../../engine/people.ts';
import { isEmailReason } from '../../engine/resolutions.ts';
import type { RosterRole } from '../../provider.ts';
import type { LmsPreview, PersonRowFacts } from '../rows.ts';
import type { PersonInRoster } from './person-context.ts';
import type { StagedPerson } from './stage.ts';

export interface DecidedPerson extends PersonDecision {
  /** The id of the person's account. */
  readonly linkedId: number | null;
  readonly isStale: boolean;
}

export function decideRosterPerson(person: PersonInRoster): DecidedPerson {
  const found = withKnownFields(person);
  const decision = decidePerson(factsOf(found));
  const { entity, action, reasonCode, local, changes } = decision;
  const linkedId = linkedUser(found, decision);
  return { entity, action, reasonCode, local, changes, linkedId, isStale: isStale(found) };
}

/** Fills in the name and roles of a deleted person from the last import or the account, when the source leaves them out. */
function withKnownFields(found: PersonInRoster): PersonInRoster {
  const { content, base, byIdentity, byEmail } = found;
  const local = byIdentity ?? byEmail;
  if (content.fullNameAr !== null || content.active || content.isBad || content.isErased || !local) return found;
  const own = entities.filter((entity) => personaOf[entity] === local.persona);
  const roles = content.roles.length > 0 ? content.roles : own;
  return { ...found, content: { ...content, roles, fullNameAr: base?.fullNameAr ?? local.fullNameAr } };
}

const entities = ['student', 'teacher', 'guardian'] as const;

export function personRow({ organizationId, id: previewId }: LmsPreview, person: PersonInRoster, position: number) {
  const found = withKnownFields(person);
  const { externalId, content, hasIdentity } = found;
  const { fullNameAr, email, active, childExternalIds } = content;
  const { entity, action, reasonCode, local, changes, linkedId, isStale } = decideRosterPerson(found);
  const seen = linkedId === null ? null : local;
  const isRenamed = found.base !== null && isWhollyOther(found.base.fullNameAr, fullNameAr);
  const facts: PersonRowFacts = { seen, fullNameAr, email, active, childExternalIds, hasIdentity, isRenamed, isStale };
  const external = { externalId, fullNameAr, email, active, ...(entity === 'guardian' && { childExternalIds }) };
  // Without spreads: a row of many members made with them takes four times as much memory.
  return {
    organizationId,
    previewId,
    position,
    id: newId(),
    entity,
    action,
    reasonCode,
    personExternalId: externalId,
    userId: linkedId,
    external,
    local: local && shown(local),
    changes,
    facts,
    resolution: null,
  };
}

/** An address in conflict does not link the person; an identity of the same persona does. */
function linkedUser(
  { byIdentity }: PersonInRoster,
  { entity, reasonCode, local }: Pick<PersonDecision, 'entity' | 'reasonCode' | 'local'>,
): number | null {
  if (!isEmailReason(reasonCode)) return local?.userId ?? null;
  return byIdentity?.persona === personaOf[entity] ? byIdentity.userId : null;
}

const shown = ({ userId, fullNameAr, email, status }: LocalPerson) => ({ userId, fullNameAr, email, status });

const isStale = ({ base, isByEmail, content }: PersonInRoster): boolean =>
  base !== null && (isByEmail || differs(base, content));

const differs = (base: PersonBase, { fullNameAr, email, active }: StagedPerson): boolean =>
  base.fullNameAr !== fullNameAr || (email !== null && base.email !== email) || base.active !== active;

function factsOf(found: PersonInRoster): PersonFacts {
  const { content, enrolledAs, openAs } = found;
  const { roles, fullNameAr, email, active, isBad, isErased } = content;
  return {
    isBad,
    isErased,
    roles: allRoles(roles, enrolledAs, openAs),
    fullNameAr: fullNameAr ?? '',
    email,
    active,
    emailCount: found.emailCount,
    isShared: found.isShared,
    byIdentity: found.byIdentity,
    byEmail: found.byEmail,
    isEmailElsewhere: found.isEmailElsewhere,
    base: found.base,
    hasNewChildren: found.hasNewChildren,
    others: found.others,
  };
}

/**
 * A person with an imported role also has the roles of their open enrollments. A person without roles has those of their open
 * enrollments, or of all enrollments when none is open.
 */
function allRoles(
  own: readonly RosterRole[],
  enrolledAs: readonly RosterRole[],
  openAs: readonly RosterRole[],
): RosterRole[] {
  if (own.length === 0) return [...new Set(openAs.length > 0 ? openAs : enrolledAs)];
  const counts = own.some((role) => role !== 'other');
  return [...new Set([...own, ...(counts ? openAs : [])])];
}
