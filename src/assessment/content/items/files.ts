// Reads the frozen versions of the item bank from disk.
import fs from 'node:fs/promises';
import path from 'node:path';
import { shapeOf } from '#core/platform/pure/json-schema.ts';
import { type ItemBank, itemBank } from './engine/bank.ts';
import { BankFile } from './engine/bank-schema.ts';
import type { Item } from './engine/item.ts';

export const bankDir = (rulesDir: string) => path.join(rulesDir, 'content/item-bank');
export const bankPath = (rulesDir: string, version: number) => path.join(bankDir(rulesDir), `bank.v${version}.json`);

const bankFile = shapeOf<BankFile>(BankFile);

/** Reads a bank. Throws when the version is missing, the file is another bank, or an item lacks its right option. */
export async function loadItemBank(rulesDir: string, version: number): Promise<ItemBank> {
  const document = bankFile(await readJson<unknown>(bankPath(rulesDir, version)), `item bank ${version}`);
  if (document.version !== version) throw new RangeError(`item bank ${version} says that it is ${document.version}`);
  const broken = document.items.find(({ options, correctIndex }) => correctIndex >= options.length);
  if (broken) throw new RangeError(`item bank ${version}: ${broken.id} has no option ${broken.correctIndex}`);
  return itemBank({ version, items: document.items.map(withSpeech) });
}

/** Normalizes options that are not spoken to null speech, whether or not the file has the property. */
const withSpeech = (item: BankFile['items'][number]): Item => ({
  ...item,
  options: item.options.map((option) => ({ ...option, speech: option.speech ?? null })),
});

/** Throws SyntaxError with the file's name. */
export async function readJson<T>(file: string): Promise<T> {
  const text = await fs.readFile(file, 'utf8');
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new SyntaxError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
