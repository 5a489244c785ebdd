// `content sheet`: writes one page per cell.
import fs from 'node:fs/promises';
import path from 'node:path';
import { sheetPage } from '#assessment/content/items/review/sheet.ts';
import type { Output } from '../rules/terminal.ts';
import { namedCells, readContent, rulesDir } from './bank.ts';
import type { Input } from './command.ts';

/** The only font of the product, with every mark. */
const font = path.join(rulesDir, '../src/core/platform/pdf/fonts/Vazirmatn-Regular.ttf');

export async function sheet({ args, bankVersion, options }: Input, out: Output): Promise<boolean> {
  const dir = path.resolve(options.get('out') ?? 'review-sheets');
  const fontBase64 = await fs.readFile(font, 'base64');
  const cells = namedCells(await readContent(bankVersion), args);
  await fs.mkdir(dir, { recursive: true });
  for (const { name, nameAr, grades, items } of cells) {
    const page = sheetPage({ cell: name, nameAr, grades, bankVersion, fontBase64 }, items);
    await fs.writeFile(path.join(dir, `${name}.html`), page);
  }
  out.line(`${cells.length} sheets in ${dir}`);
  out.json({ dir, cells: cells.map(({ name }) => name) });
  return true;
}
