// How long the delivered sessions of plans were to take, and took.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { round4 } from '#core/platform/pure/round.ts';
import { deliveredSessions } from '../../interventions/index.ts';
import type { SessionMinutes } from '../services.ts';

/** Of a plan: null where none of its sessions says so. */
export type PlanMinutes = SessionMinutes;

/** By assignment. One statement, and one for each capability that holds sessions. */
export async function minutesOf(
  trx: Trx,
  { capabilities }: Pick<Services, 'capabilities'>,
  organizationId: string,
  assignmentIds: readonly string[],
): Promise<(assignmentId: string) => PlanMinutes> {
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
