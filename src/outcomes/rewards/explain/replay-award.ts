// Replays the award of an event from the ledger before it, by the rules that each event is pinned to.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { type Award, awardFor } from '../engine/award.ts';
import { type BadgeCheck, badgeChecks } from '../engine/badges.ts';
import { deriveLedger } from '../engine/derive.ts';
import type { RewardRules } from '../engine/rules.ts';
import type { LedgerState } from '../engine/state.ts';
import { masteryEventsOf, pinnedRules } from '../ledger/ledgers.ts';
import { RewardCelebration, StudentBadge, XpTransaction } from '../ledger/models.ts';
import type { CelebrationRow, MasteryEventRow, XpRow } from '../ledger/rows.ts';
import type { AwardView, ExplainedMastery } from './schemas.ts';

export interface ReplayedAward {
  readonly rules: RewardRules;
  readonly before: LedgerState;
  readonly award: Award;
  readonly checks: readonly BadgeCheck[];
}

/** Throws ENGINE_UNAVAILABLE when a pinned version cannot be read. */
export async function replayAward(
  reading: ReadTransaction,
  { db, rules }: Pick<Services, 'db' | 'rules'>,
  event: MasteryEventRow,
): Promise<ReplayedAward> {
  const events = await reading((trx) => masteryEventsOf(trx, event));
  const earlier = events.filter(({ id }) => id < event.id);
  const rulesOf = await pinnedRules(db, rules, [...earlier, event]);
  const before = deriveLedger(rulesOf, earlier);
  const own = rulesOf(event.ruleVersion);
  const award = awardFor(own, before, event);
  return { rules: own, before, award, checks: badgeChecks(own, { before, event, streak: award.streak }) };
}

export const presentAward = (event: MasteryEventRow, { rules, before, award, checks }: ReplayedAward): AwardView => ({
  xp: {
    ...{ ofKind: rules.xp[event.sourceKind], sessionCap: rules.sessionCap },
    creditedBefore: before.creditedBySession.get(event.sessionKey) ?? 0,
    credited: award.credit?.amount ?? 0,
  },
  streak: {
    ...{ before: { ...before.streak }, after: { ...award.streak } },
    ...{ missedSchoolDays: event.missedSchoolDays, graceSchoolDays: rules.streak.graceSchoolDays },
  },
  avatarTier: { before: before.avatarTier, after: award.avatarTier, events: before.events + 1 },
  badges: [...checks],
  celebrations: award.celebrations.map(({ kind, value }) => ({ kind, value })),
});

export interface Booked {
  readonly xp: readonly XpRow[];
  readonly badge: { readonly id: number; readonly code: string } | null;
  readonly celebrations: readonly Pick<CelebrationRow, 'kind' | 'value'>[];
}

export const bookedUnder = (reading: ReadTransaction, event: MasteryEventRow): Promise<Booked> =>
  reading(async (trx) => {
    const { organizationId, schoolYear, id: masteryEventId } = event;
    const own = { organizationId, schoolYear };
    const xp: XpRow[] = await XpTransaction.query(trx)
      .where({ ...own, masteryEventId })
      .orderBy('id');
    const badge = await StudentBadge.query(trx)
      .where({ ...own, triggeringMasteryEventId: masteryEventId })
      .select('id', 'code')
      .first();
    const celebrations: Booked['celebrations'] = await RewardCelebration.query(trx)
      .where({ ...own, masteryEventId })
      .select('kind', 'value');
    return { xp, badge: badge ?? null, celebrations };
  });

/** Returns whether the replayed award equals the booked one. Later rescinds are ignored. */
export function isAsBooked({ award }: ReplayedAward, { xp, badge, celebrations }: Booked): boolean {
  const amounts = ({ kind, amount, cappedFrom }: Pick<XpRow, 'kind' | 'amount' | 'cappedFrom'>) =>
    [kind, amount, cappedFrom].join(' ');
  const { credit } = award;
  const due = [
    ...(credit ? [amounts({ kind: 'credit', amount: credit.amount, cappedFrom: credit.cappedFrom ?? null })] : []),
    ...(award.badge ? [amounts({ kind: 'badge_bonus', amount: award.badge.bonusXp, cappedFrom: null })] : []),
  ];
  const stored = xp.filter(({ kind }) => kind !== 'rescind').map(amounts);
  return (
    isSameList(due, stored) &&
    award.badge?.code === badge?.code &&
    isSameList(award.celebrations.map(nameOf), celebrations.map(nameOf))
  );
}

const nameOf = ({ kind, value }: Pick<CelebrationRow, 'kind' | 'value'>): string => `${kind} ${value}`;

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join();

export const presentXp = ({
  id,
  kind,
  amount,
  cappedFrom,
  recordedAt,
}: XpRow): ExplainedMastery['booked']['xp'][number] => ({
  ...{ id, kind, amount, cappedFrom, recordedAt },
});
