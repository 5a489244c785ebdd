// What was asked, chosen and right at each response of a run, from the item banks of its sessions.
import type { Trx } from '#core/platform/db.ts';
import type { Item, ItemBanks } from '../../content/index.ts';
import { type ChosenOption, chosenOptions, stampVersion } from '../../measurement/index.ts';
import type { RunRow } from '../results/tables.ts';

export interface ChosenItem {
  readonly prompt: string;
  /** Null when the item was skipped. */
  readonly chosen: string | null;
  readonly right: string;
}

/** Reads the choices in the sessions of a run. An oral reading has none. */
export async function readChoices(
  trx: Trx,
  { organizationId, input }: Pick<RunRow, 'organizationId' | 'input'>,
): Promise<readonly ChosenOption[]> {
  const sessionsOf = (source: string) =>
    input.sessions.filter((session) => session.source === source).map(({ sessionId }) => sessionId);
  const read = (source: 'diagnostic' | 'practice') =>
    chosenOptions(trx, { organizationId, source, sessionIds: sessionsOf(source) });
  return [...(await read('diagnostic')), ...(await read('practice'))];
}

/** Returns the items by `sessionId/itemId`. Throws ENGINE_UNAVAILABLE when a bank cannot be read. */
export async function chosenItems(
  itemBanks: ItemBanks,
  choices: readonly ChosenOption[],
): Promise<ReadonlyMap<string, ChosenItem>> {
  const stamps = [...new Set(choices.map(({ bankVersion }) => bankVersion))];
  const banks = new Map(
    await Promise.all(stamps.map(async (stamp) => [stamp, await itemBanks.version(stampVersion(stamp))] as const)),
  );
  return new Map(
    choices.flatMap(({ sessionId, itemId, optionIndex, bankVersion }) => {
      const item = banks.get(bankVersion)?.find(itemId);
      return item ? [[`${sessionId}/${itemId}`, wordsOf(item, optionIndex)] as const] : [];
    }),
  );
}

function wordsOf({ prompt, options, correctIndex }: Item, chosen: number | null): ChosenItem {
  const optionAt = (wanted: number) => options.find(({ index }) => index === wanted)?.text ?? '';
  return {
    prompt: promptOf(prompt),
    chosen: chosen === null ? null : optionAt(chosen),
    right: optionAt(correctIndex),
  };
}

/** A heard item is told apart only by what is spoken, which the instruction does not hold. */
const promptOf = ({ text, speech }: Item['prompt']): string =>
  speech === text || speech === '' ? text : `${text} «${speech}»`;
