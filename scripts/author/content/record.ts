// `content record`: records a decision about items, and removes the decisions about older versions of them.
import { decided, type ReviewStage, reviewStages } from '#assessment/content/items/engine/review.ts';
import { readReviews, writeReviews } from '#assessment/content/items/review/files.ts';
import type { Output } from '../rules/terminal.ts';
import { readContent, rulesDir } from './bank.ts';
import type { Input } from './command.ts';

export async function record({ args, bankVersion }: Input, out: Output): Promise<boolean> {
  const [stage = '', decision = '', date = '', ...named] = args;
  if (!isStage(stage)) throw new RangeError(`a stage is one of ${reviewStages.join(', ')}`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new RangeError('the date is YYYY-MM-DD');
  if (named.length === 0) throw new RangeError('name the cells or items that were decided about, or all');
  const { cells, items } = await readContent(bankVersion);
  const known = new Set(['all', ...cells.map(({ name }) => name), ...items.map(({ id }) => id)]);
  const unknown = named.find((one) => !known.has(one));
  if (unknown !== undefined) throw new RangeError(`there is no cell or item ${unknown}`);
  let count = 0;
  for (const cell of cells) {
    const isWhole = named.includes(cell.name) || named.includes('all');
    const ids = new Set(cell.items.map(({ id }) => id).filter((id) => isWhole || named.includes(id)));
    if (ids.size === 0) continue;
    const records = await readReviews(rulesDir, cell.name);
    await writeReviews(rulesDir, cell.name, decided(cell.items, records, { stage, decision, date, ids }));
    count += ids.size;
  }
  out.line(`${stage} ${decision} for ${count} items`);
  return true;
}

const isStage = (word: string): word is ReviewStage => reviewStages.some((stage) => stage === word);
