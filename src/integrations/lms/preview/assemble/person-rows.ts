// What becomes of a person of the roster, and the row of the preview that says it.
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
import type { Found } from './people.ts';
import type { StagedPerson } from './stage.ts';

export interface DecidedPerson extends PersonDecision {
  /** The account that the person is. */
  readonly linkedId: number | null;
  readonly isStale: boolean;
}

export function decided(told: Found): DecidedPerson {
  const found = withKnown(told);
  const decision = decidePerson(factsOf(found));
  const { entity, action, reasonCode, local, changes } = decision;
  const linkedId = linkedUser(found, decision);
  return { entity, action, reasonCode, local, changes, linkedId, isStale: isStale(found) };
}

/** Of somebody who is deleted the source need not say more than that: the rest is as it was known. */
function withKnown(found: Found): Found {
  const { content, base, byIdentity, byEmail } = found;
  const local = byIdentity ?? byEmail;
  if (content.fullNameAr !== null || content.active || content.isBad || content.isErased || !local) return found;
  const own = entities.filter((entity) => personaOf[entity] === local.persona);
  const roles = content.roles.length > 0 ? content.roles : own;
  return { ...found, content: { ...content, roles, fullNameAr: base?.fullNameAr ?? local.fullNameAr } };
}

const entities = ['student', 'teacher', 'guardian'] as const;

export function personRow({ organizationId, id: previewId }: LmsPreview, told: Found, position: number) {
  const found = withKnown(told);
  const { externalId, content, hasIdentity } = found;
  const { fullNameAr, email, active, childExternalIds } = content;
  const { entity, action, reasonCode, local, changes, linkedId, isStale } = decided(found);
  const seen = linkedId === null ? null : local;
  const isRenamed = found.base !== null && isWhollyOther(found.base.fullNameAr, fullNameAr);
  const facts: PersonRowFacts = { seen, fullNameAr, email, active, childExternalIds, hasIdentity, isRenamed, isStale };
  const external = { externalId, fullNameAr, email, active, ...(entity === 'guardian' && { childExternalIds }) };
  // No spreads: of a row of many members they take four times as much memory.
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

/** An address that is in conflict links nobody; an identity of the same persona does. */
function linkedUser(
  { byIdentity }: Found,
  { entity, reasonCode, local }: Pick<PersonDecision, 'entity' | 'reasonCode' | 'local'>,
): number | null {
  if (!isEmailReason(reasonCode)) return local?.userId ?? null;
  return byIdentity?.persona === personaOf[entity] ? byIdentity.userId : null;
}

const shown = ({ userId, fullNameAr, email, status }: LocalPerson) => ({ userId, fullNameAr, email, status });

const isStale = ({ base, isByEmail, content }: Found): boolean =>
  base !== null && (isByEmail || differs(base, content));

const differs = (base: PersonBase, { fullNameAr, email, active }: StagedPerson): boolean =>
  base.fullNameAr !== fullNameAr || (email !== null && base.email !== email) || base.active !== active;

function factsOf(found: Found): PersonFacts {
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
  };
}

/**
 * Somebody whose own role is imported also has the roles of the enrollments that are open; who has none has those of all
 * enrollments, if none is open.
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
