// Presents a warm-up to its student: items and clock, never results.

import type { Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import type { ItemBank } from '../../content/index.ts';
import { presentServedItem, type ServedItem } from '../../content/index.ts';
import type { RequestServices } from '../services.ts';
import { bankOf, lock, remainingMs } from './session.ts';
import { loadItems, type WarmupItem, type WarmupSession } from './store.ts';

export async function presentWarmup(services: RequestServices, trx: Trx, { id }: WarmupSession, now: Date) {
  const locked = await lock(services, trx, id);
  const { session, events, values } = locked;
  const bank = await bankOf(services, session);
  return {
    warmupSessionId: session.id,
    sessionType: session.sessionType,
    status: session.status,
    durationSeconds: values.durationSeconds,
    remainingMs: remainingMs(locked, events, now),
    items: (await loadItems(trx, id)).map((item) => presentItem(item, bank)),
  };
}

function presentItem({ id, itemId, seq }: WarmupItem, bank: ItemBank): ServedItem {
  const item = bank.find(itemId);
  if (!item) throw unavailable('The item bank is not available.');
  return presentServedItem(item, id, seq);
}
