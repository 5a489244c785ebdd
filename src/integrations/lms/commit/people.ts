// Writes the people of a preview page by page. Each step takes its locks for all pages before the next one begins.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import {
  type AccountChange,
  changeAccounts,
  endSessions,
  endSignInLinks,
  type IdentityLink,
  insertAccounts,
  linkIdentities,
  setByEmail,
  setSignInEmails,
} from '#identity/people/index.ts';
import { type PersonEntity, personaOf } from '../engine/people.ts';
import { identityOf } from '../enums.ts';
import { positionRanges } from '../preview/position-ranges.ts';
import type { LmsPreview, PersonRowFacts } from '../preview/rows.ts';
import { effect, isPerson, rowsOfPreview, updatesBaseline, withoutEmail } from './effect.ts';

export interface Committing {
  readonly trx: Trx;
  readonly preview: LmsPreview;
  readonly now: Date;
  /** YYYY-MM-DD in the time zone of the organization. */
  readonly today: string;
}

interface PersonRow {
  readonly position: number;
  readonly entity: PersonEntity;
  readonly userId: number | null;
  readonly personExternalId: string;
  readonly fullNameAr: PersonRowFacts['fullNameAr'];
  readonly email: PersonRowFacts['email'];
  /** The preview has found an account. */
  readonly wasSeen: boolean;
  /** Whether this import links the person first; known once the accounts are written. */
  readonly isFirstLinked: boolean | null;
  readonly changes: readonly { readonly field: string; readonly to: string | null }[];
  readonly withoutEmail: boolean;
}

const keyOf = ({ organizationId, id: previewId }: LmsPreview) => ({ organizationId, previewId });

/** Yields the rows of people that the commit writes, page by page. */
async function* written({ trx, preview }: Committing): AsyncIterable<readonly PersonRow[]> {
  const key = keyOf(preview);
  for await (const part of positionRanges(trx, `${rowsOfPreview} and ${isPerson}`, key)) {
    const page = await rowsOf<PersonRow>(
      trx,
      `select r.position, r.entity, r.user_id, r.person_external_id, r.facts ->> 'fullNameAr' as full_name_ar,
         r.facts ->> 'email' as email, r.facts -> 'seen' <> 'null'::jsonb as was_seen,
         (r.facts -> 'isFirstLinked')::boolean as is_first_linked, r.changes,
         ${withoutEmail} as without_email
       from ${rowsOfPreview} and ${isPerson} and ${effect} = 'write' and r.position > :after and r.position <= :upTo
       order by r.position`,
      { ...key, ...part },
    );
    if (page.length > 0) yield page;
  }
}

/** Creates and changes accounts, and stores the ids of new ones in their rows. */
export async function writeAccounts(committing: Committing): Promise<void> {
  const { trx, preview, now } = committing;
  const { organizationId } = preview;
  for await (const page of written(committing)) {
    const fresh = page.filter(({ userId }) => userId === null);
    const made = fresh.map(({ entity, fullNameAr, email, withoutEmail: hasNoEmail }) => ({
      primaryPersona: personaOf[entity],
      fullNameAr: fullNameAr ?? '',
      email: hasNoEmail ? null : email,
    }));
    const ids = await insertAccounts(trx, organizationId, made, now);
    await nameRows(
      trx,
      preview,
      fresh.map(({ position }, at) => ({ position, userId: ids[at] ?? 0 })),
    );
    await changeAccounts(trx, organizationId, page.flatMap(changeOf));
  }
}

function changeOf({ userId, changes, withoutEmail: hasNoEmail }: PersonRow): AccountChange[] {
  const taken = changes.filter(({ field }) => !(hasNoEmail && field === 'email'));
  if (userId === null || taken.length === 0) return [];
  return [{ userId, ...Object.fromEntries(taken.map(({ field, to }) => [field, to])) }];
}

/**
 * Stores the account ids in the rows of people, where enrollments find them. New accounts are linked by this import first.
 */
async function nameRows(
  trx: Trx,
  preview: LmsPreview,
  named: readonly { readonly position: number; readonly userId: number }[],
): Promise<void> {
  if (named.length === 0) return;
  await rowsOf(
    trx,
    `update lms_preview_row r set user_id = w.user_id, facts = r.facts || '{"isNew": true, "isFirstLinked": true}'
     from unnest(:positions::integer[], :userIds::bigint[]) as w (position, user_id)
     where r.organization_id = :organizationId and r.preview_id = :previewId and r.position = w.position
       and r.position between :first and :last`,
    {
      ...keyOf(preview),
      // The rows are in order. Both ends keep the planner from reading the whole preview for a page.
      first: named[0]?.position ?? 0,
      last: named.at(-1)?.position ?? 0,
      positions: named.map(({ position }) => position),
      userIds: named.map(({ userId }) => userId),
    },
  );
}

export async function writeAddresses(committing: Committing): Promise<void> {
  for await (const page of written(committing)) {
    const named = page.flatMap((row) => {
      const { userId, email, wasSeen, withoutEmail: hasNoEmail } = row;
      const isGiven = (!wasSeen && !hasNoEmail) || isRenamed(row);
      return userId !== null && email !== null && isGiven ? [{ userId, email }] : [];
    });
    await setSignInEmails(committing.trx, committing.preview.organizationId, named);
  }
}

/** Returns whether an existing account gets another address. */
const isRenamed = ({ wasSeen, changes, withoutEmail: hasNoEmail }: PersonRow) =>
  wasSeen && !hasNoEmail && changes.some(({ field }) => field === 'email');

/** Links that the import adopts or makes stay. A link by an address that the account no longer has is ended. */
export async function writeIdentities(committing: Committing): Promise<void> {
  const { trx, preview, now } = committing;
  const { organizationId, provider } = preview;
  if (identityOf(provider) === 'google') await adoptSignInLinks(committing);
  for await (const page of written(committing)) {
    const renamed = page.filter(isRenamed).flatMap(({ userId }) => userId ?? []);
    await endSignInLinks(trx, organizationId, renamed);
    const people = page.flatMap(({ userId, personExternalId: subject, isFirstLinked }) =>
      userId !== null && isFirstLinked ? [{ userId, subject }] : [],
    );
    await linkIdentities(trx, { organizationId, provider: identityOf(provider), now }, people);
  }
}

const linkedByEmail = `${rowsOfPreview} and ${isPerson} and ${updatesBaseline} and r.facts @> '{"wasByEmail": true}'`;

/** Makes links of first sign-ins to people of the roster links of the import. */
async function adoptSignInLinks({ trx, preview }: Committing): Promise<void> {
  const { organizationId } = preview;
  for await (const part of positionRanges(trx, linkedByEmail, keyOf(preview))) {
    const people = await rowsOf<IdentityLink>(
      trx,
      `select r.user_id, r.person_external_id as subject from ${linkedByEmail}
         and r.position > :after and r.position <= :upTo
       order by r.position`,
      { ...keyOf(preview), ...part },
    );
    await setByEmail(trx, { organizationId, provider: 'google', byEmail: false }, people);
  }
}

/** Ends the sessions of accounts that became inactive. */
export async function writeSessions(committing: Committing): Promise<void> {
  const { trx, preview, now } = committing;
  for await (const page of written(committing)) {
    const closed = page.filter(({ changes }) =>
      changes.some(({ field, to }) => field === 'status' && to === 'inactive'),
    );
    const ids = closed.flatMap(({ userId }) => (userId === null ? [] : [userId]));
    await endSessions(trx, preview.organizationId, ids, now);
  }
}
