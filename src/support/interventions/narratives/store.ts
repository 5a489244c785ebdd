// Rows of narratives. Texts never change: another wording is a new version, which another person than its author decides on.
// The database enforces both.

import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { modelOf } from '#core/platform/model.ts';
import type { Narrative, NarrativeContent, Slot } from './engine/narrative.ts';
import type { NarrativeState } from './enums.ts';

export interface NarrativeRow extends Narrative {
  readonly id: string;
  readonly version: number;
  readonly state: NarrativeState;
  readonly authorUserId: number | null;
  readonly reviewerUserId: number | null;
  readonly createdAt: string;
  readonly decidedAt: string | null;
  readonly rejectReasonCode: string | null;
}

type StoredNarrative = Omit<NarrativeRow, 'window'> & { readonly season: Narrative['window'] };

export const ProfileNarrative = modelOf<StoredNarrative>('profile_narrative', { json: ['suggestions'] });

/** `season` in the database, because `window` is a keyword of SQL. */
export const narrativeColumns = [
  ...['id', 'profileCode', 'audience', 'season as window', 'version', 'titleAr', 'bodyAr', 'suggestions', 'state'],
  ...['authorUserId', 'reviewerUserId', 'createdAt', 'decidedAt', 'rejectReasonCode'],
];

const inSlot = (trx: Trx, { profileCode, audience, window }: Slot) =>
  ProfileNarrative.query(trx).where({ profileCode, audience, season: window });

/** Serializes numbering, approvals and rejections of a slot. */
export const lockSlot = (trx: Trx, { profileCode, audience, window }: Slot): Promise<void> =>
  acquireNamedLock(trx, 'narratives', `${profileCode} ${audience} ${window}`);

export const findNarrative = async (trx: Trx, id: string): Promise<NarrativeRow | undefined> =>
  ProfileNarrative.query(trx).where({ id }).select(narrativeColumns).first().castTo<NarrativeRow | undefined>();

/** The caller holds the lock of the slot. */
export async function insertPending(
  trx: Trx,
  narrative: Narrative,
  authorUserId: number,
  now: Date,
): Promise<NarrativeRow> {
  const newest = await inSlot(trx, narrative).max('version as version').first();
  const version = (newest?.version ?? 0) + 1;
  const row = { ...narrativeRow(narrative), version, state: 'pending_review', authorUserId } as const;
  const { season, ...made } = await ProfileNarrative.query(trx)
    .insert({ ...row, createdAt: now.toISOString() })
    .returning('*');
  return { ...made, window: season };
}

/** The columns of a new row that follow from its text. */
export const narrativeRow = ({ window, ...rest }: Slot & NarrativeContent) => ({
  id: newId(),
  ...rest,
  season: window,
});

export const newestApproved = async (trx: Trx, slot: Slot): Promise<number> =>
  (await inSlot(trx, slot).where({ state: 'approved' }).select('version').first())?.version ?? 0;

export const supersede = async (trx: Trx, slot: Slot): Promise<void> => {
  await inSlot(trx, slot).where({ state: 'approved' }).update({ state: 'superseded' });
};

export interface NarrativeDecision {
  readonly state: 'approved' | 'rejected';
  readonly reviewerUserId: number;
  readonly decidedAt: Date;
  readonly rejectReasonCode?: string;
}

export async function decideNarrative(
  trx: Trx,
  { id }: NarrativeRow,
  decision: NarrativeDecision,
): Promise<NarrativeRow> {
  const change = { ...decision, decidedAt: decision.decidedAt.toISOString() };
  return ProfileNarrative.query(trx)
    .where({ id })
    .update(change)
    .returning(narrativeColumns)
    .first()
    .throwIfNotFound()
    .castTo<NarrativeRow>();
}
