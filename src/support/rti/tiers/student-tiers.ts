// Reads the tiers of students for the recommendations of support.
import type { Capability } from '#core/module/capability.ts';
import { RtiAlert } from '../rows/alerts.ts';
import { newestMovements } from '../rows/movements.ts';

export const readStudentTiers: NonNullable<Capability['studentTiers']> = async (trx, organizationId, studentIds) => {
  const movements = await newestMovements(trx, organizationId, studentIds);
  const acute = await RtiAlert.query(trx)
    .where({ organizationId, state: 'open', kind: 'acute_regression_review' })
    .whereIn('studentId', [...studentIds])
    .select('studentId');
  const acuteOpen = new Set(acute.map(({ studentId }) => studentId));
  const concerned = new Set([...movements.keys(), ...acuteOpen]);
  return new Map(
    [...concerned].map((studentId) => {
      const move = movements.get(studentId);
      const newestMove = move ? { fromTier: move.fromTier, toTier: move.toTier, committedAt: move.committedAt } : null;
      const { toTier = 1, effectiveOn = null } = move ?? {};
      return [studentId, { tier: toTier, tierSince: effectiveOn, acuteOpen: acuteOpen.has(studentId), newestMove }];
    }),
  );
};
