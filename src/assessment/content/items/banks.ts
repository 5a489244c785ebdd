// The item banks by version. A session keeps the version that it was started with.
import path from 'node:path';
import { unavailable } from '#core/platform/errors.ts';
import type { AudioPack } from './audio/pack.ts';
import { recorded } from './audio/recorded.ts';
import type { ItemBank } from './engine/bank.ts';
import { loadItemBank } from './files.ts';

export const rulesDir = path.resolve(import.meta.dirname, '../../../../rules');
/** The version of the bank that new sessions are given. */
export const currentBankVersion = 2;

export interface ItemBanks {
  /** Throws ENGINE_UNAVAILABLE when the version cannot be read. */
  version(version: number): Promise<ItemBank>;
  current(): Promise<ItemBank>;
  /** Of the bank that new sessions are given. */
  readonly currentVersion: number;
}

/** A version is read once; it never changes. With a pack of recordings, its items know their addresses. */
export function itemBanks(
  dir: string = rulesDir,
  { audio, bankVersion = currentBankVersion }: { readonly audio?: AudioPack; readonly bankVersion?: number } = {},
): ItemBanks {
  const loaded = new Map<number, Promise<ItemBank>>();
  const version = (wanted: number) => {
    const bank =
      loaded.get(wanted) ??
      loadItemBank(dir, wanted)
        .then((read) => (audio ? recorded(read, audio) : read))
        .catch(() => {
          loaded.delete(wanted);
          throw unavailable('The item bank is not available.');
        });
    loaded.set(wanted, bank);
    return bank;
  };
  return { version, current: () => version(bankVersion), currentVersion: bankVersion };
}
