// Replays one student's ledgers as of a moment by the pinned rules. Writes nothing.
import type { Static } from 'typebox';
import { instantOf } from '#core/http/instants.ts';
import type { Trx } from '#core/platform/db.ts';
import { findStudent } from '#identity/people/index.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import { hasDrift } from '../engine/growth/drift.ts';
import { rewardRules } from '../engine/rules.ts';
import { pinnedRules } from '../ledger/ledgers.ts';
import { compareLedger } from './compare.ts';
import { ledgersAt } from './ledgers.ts';
import type { RewardReplayBody, RewardReplayView } from './schemas.ts';

/** Moments in the future are treated as now. Throws NOT_FOUND for a student out of reach, and ENGINE_UNAVAILABLE. */
export async function replayStudent(
  trx: Trx,
  services: { readonly rules: ActiveRules },
  body: Static<typeof RewardReplayBody>,
  now: Date,
): Promise<Static<typeof RewardReplayView>> {
  const [asked, present] = [instantOf(body.asOf, 'asOf'), now.toISOString()];
  const asOf = asked < present ? asked : present;
  const { row: student } = await findStudent(trx, body.studentId);
  const { organizationId, id: studentId } = student;
  const [ledger] = await ledgersAt(trx, { organizationId, studentIds: [studentId], asOf });
  if (!ledger) throw new RangeError('a student who was found has a ledger');
  const rulesOf = await pinnedRules(trx, services.rules, ledger.events);
  const { badges } = rewardRules((await services.rules.at(trx, now)).rules);
  const { derived, stored, drift } = compareLedger(
    ledger,
    rulesOf,
    badges.map(({ code }) => code),
  );
  return {
    ...{ studentId, asOf, drift: { ...drift }, hasDrift: hasDrift(drift) },
    derived: { ...derived, badgeCodes: [...derived.badgeCodes] },
    stored: { ...stored, badgeCodes: [...stored.badgeCodes] },
  };
}
