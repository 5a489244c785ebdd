// Scores stored answers with item banks. Patterns and times come from the bank with which the session was started,
// withdrawal from today's bank, since a later bank may withdraw an item.
import type { ItemBank, ItemBanks } from '../../content/index.ts';
import { stampVersion } from '../rules.ts';
import { EvidenceError } from './engine/evidence.ts';
import { type GivenAnswer, isWithdrawnBy, type ServedResponse, servedResponse } from './engine/served.ts';

export interface StoredAnswer extends GivenAnswer {
  readonly itemId: string;
}

/** `asOf`: ISO 8601. */
export interface AnsweredSession {
  readonly sessionId: string;
  readonly bankVersion: string;
  readonly asOf: string;
}

export interface AnswerScorer {
  /**
   * Returns the served response. Throws EvidenceError when the pinned bank lacks the item, ENGINE_UNAVAILABLE when the
   * bank is missing.
   */
  served(answer: StoredAnswer, of: AnsweredSession): ServedResponse;
}

/** Loads the pinned banks, each once. A missing bank throws when it is used. */
export async function createAnswerScorer(itemBanks: ItemBanks, stamps: readonly string[]): Promise<AnswerScorer> {
  const today = await itemBanks.current();
  const banks = new Map<string, ItemBank | Error>();
  for (const stamp of new Set(stamps)) {
    banks.set(stamp, await itemBanks.version(stampVersion(stamp)).catch((error: Error) => error));
  }
  return {
    served(answer, { sessionId, bankVersion, asOf }) {
      const bank = banks.get(bankVersion);
      if (bank instanceof Error) throw bank;
      const item = bank?.find(answer.itemId);
      if (!item) throw new EvidenceError(`session ${sessionId}: ${bankVersion} has no item ${answer.itemId}`);
      return servedResponse(item, answer, isWithdrawnBy(today, item, asOf));
    },
  };
}
