// The item banks by version. A session keeps the version that it was started with.
import path from 'node:path';
import { unavailable } from '#core/platform/errors.ts';
import type { AudioPack } from './audio/pack.ts';
import { withRecordedAudio } from './audio/recorded.ts';
import type { ItemBank } from './engine/bank.ts';
import { loadItemBank } from './files.ts';

export const rulesDir = path.resolve(import.meta.dirname, '../../../../rules');
/** The bank version for new sessions. */
export const currentBankVersion = 2;

export interface ItemBanks {
  /** Throws ENGINE_UNAVAILABLE when the version cannot be read. */
  version(version: number): Promise<ItemBank>;
  current(): Promise<ItemBank>;
  /** The bank version for new sessions. */
  readonly currentVersion: number;
}

/** Returns the item banks. Each version is read once and never changes; items include their recording URLs. */
export function itemBanks(
  dir: string = rulesDir,
  { audio, bankVersion = currentBankVersion }: { readonly audio?: AudioPack; readonly bankVersion?: number } = {},
): ItemBanks {
  const loaded = new Map<number, Promise<ItemBank>>();
  const version = (wanted: number) => {
    const bank =
      loaded.get(wanted) ??
      loadItemBank(dir, wanted)
        .then((read) => (audio ? withRecordedAudio(read, audio) : read))
        .catch(() => {
          loaded.delete(wanted);
          throw unavailable('The item bank is not available.');
        });
    loaded.set(wanted, bank);
    return bank;
  };
  return { version, current: () => version(bankVersion), currentVersion: bankVersion };
}
