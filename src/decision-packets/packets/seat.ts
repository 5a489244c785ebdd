// Whether somebody has the seat of the specialist for the most intensive support.
import type { Actor } from '../../http/route.ts';
import { enterContext, type Trx } from '../../platform/db.ts';

const specialist = 'HIGH_INTENSITY_SPECIALIST';

/** Accounts of the platform are in no organization's sight: the context is widened for the question. */
export async function holdsSeat(trx: Trx, { userId, organizationId }: Actor, inOrganization: string): Promise<boolean> {
  if (organizationId !== null) return seatOf(trx, userId);
  await enterContext(trx, 'SUPER');
  const held = await seatOf(trx, userId);
  await enterContext(trx, { organizationId: inOrganization });
  return held;
}

async function seatOf(trx: Trx, userId: number): Promise<boolean> {
  const row: { seats: string[] } | undefined = await trx('app_user').where({ id: userId }).first('seats');
  return row?.seats.includes(specialist) ?? false;
}
