// What may still be served of a bank. Withdrawal is today's bank's to say, whichever bank a session was started with.
import type { ItemBank, ItemBanks } from '../../content/index.ts';
import { isWithdrawnBy } from '../evidence/engine/served.ts';
import { stampVersion } from '../rules.ts';

/**
 * The bank that a session was started with, for what is served from now on: items that were withdrawn since are in none of its
 * cells. They are still found, for one that is out may be answered. Throws ENGINE_UNAVAILABLE when a bank cannot be read.
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
