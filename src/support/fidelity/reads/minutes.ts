// Planned and taught minutes of the delivered sessions of assignments.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { round4 } from '#core/platform/pure/round.ts';
import { deliveredSessions } from '../../interventions/index.ts';
import type { SessionMinutes } from '../services.ts';

/** Null when no session of the assignment has minutes. */
export type DeliveredMinutes = SessionMinutes;

/** By assignment. Uses one statement, and one for each capability with sessions. */
export async function deliveredMinutesOf(
  trx: Trx,
  { capabilities }: Pick<Services, 'capabilities'>,
  organizationId: string,
  assignmentIds: readonly string[],
): Promise<(assignmentId: string) => DeliveredMinutes> {
  const sessions = await deliveredSessions(trx, organizationId, assignmentIds);
  const ids = [...new Set([...sessions.values()].flat())];
  const known = new Map<string, SessionMinutes>();
  for (const read of capabilities.flatMap(({ sessionMinutes }) => sessionMinutes ?? [])) {
    for (const [id, minutes] of await read(trx, organizationId, ids)) known.set(id, minutes);
  }
  return (assignmentId) => {
    const own = (sessions.get(assignmentId) ?? []).flatMap((id) => known.get(id) ?? []);
    return {
      plannedMinutes: sumOf(own.map(({ plannedMinutes }) => plannedMinutes)),
      taughtMinutes: sumOf(own.map(({ taughtMinutes }) => taughtMinutes)),
    };
  };
}

function sumOf(minutes: readonly (number | null)[]): number | null {
  const known = minutes.filter((one) => one !== null);
  return known.length === 0 ? null : round4(known.reduce((sum, one) => sum + one, 0));
}
