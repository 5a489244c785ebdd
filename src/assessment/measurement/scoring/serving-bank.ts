// The items of a bank that may still be served. Today's bank decides about withdrawal, also for older pinned banks.
import type { ItemBank, ItemBanks } from '../../content/index.ts';
import { isWithdrawnBy } from '../evidence/engine/served.ts';
import { stampVersion } from '../rules.ts';

/**
 * Returns the pinned bank for serving: withdrawn items are removed from its cells but can still be found, because a
 * served one may be answered. Throws ENGINE_UNAVAILABLE when a bank cannot be read.
 */
export async function servingBank(itemBanks: ItemBanks, stamp: string, now: Date): Promise<ItemBank> {
  const bank = await itemBanks.version(stampVersion(stamp));
  const today = await itemBanks.current();
  const asOf = now.toISOString();
  return {
    ...bank,
    cell: (code, band) => bank.cell(code, band).filter((item) => !isWithdrawnBy(today, item, asOf)),
  };
}
