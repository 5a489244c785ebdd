// The item bank of a command, cell by cell, with the documents that describe its cells.
import path from 'node:path';
import type { Item } from '#assessment/content/items/engine/item.ts';
import { loadItemBank } from '#assessment/content/items/files.ts';
import type { MeasurementValues } from '#assessment/measurement/scoring/engine/values.ts';
import { readMeasurementValues } from '#assessment/measurement/scoring/engine/values.ts';
import type { CatalogueDocument } from '#rules/catalogue/engine/catalogue.ts';
import { loadNewestBundle } from '#rules/rulesets/index.ts';

export const rulesDir = path.resolve(import.meta.dirname, '../../../rules');

export interface Cell {
  /** `LK_SOUND.G12` */
  readonly name: string;
  readonly nameAr: string;
  readonly grades: readonly number[];
  readonly items: readonly Item[];
}

export interface Content {
  readonly cells: readonly Cell[];
  readonly items: readonly Item[];
  readonly values: MeasurementValues;
  readonly catalogue: CatalogueDocument;
}

export async function readContent(bankVersion: number): Promise<Content> {
  const bundle = await loadNewestBundle(rulesDir);
  const values = readMeasurementValues(bundle);
  const catalogue = bundle.values<CatalogueDocument>('catalogue/subskills');
  const { items } = await loadItemBank(rulesDir, bankVersion);
  const names = [...new Set(items.map(cellOf))];
  const cells = names.map((name) => {
    const [code = '', band] = name.split('.');
    const subSkill = catalogue.subSkills.find((one) => one.code === code);
    const inBand: readonly number[] = values.gradeBands[band === 'G12' ? 'G12' : 'G34'].grades;
    const grades = (subSkill?.grades ?? []).filter((grade) => inBand.includes(grade));
    return { name, nameAr: subSkill?.ar ?? code, grades, items: items.filter((item) => cellOf(item) === name) };
  });
  return { cells, items, values, catalogue };
}

export const cellOf = ({ subSkillCode, gradeBand }: Item): string => `${subSkillCode}.${gradeBand}`;

/** Returns the named cells, or all. Throws RangeError for an unknown name. */
export function namedCells({ cells }: Content, names: readonly string[]): readonly Cell[] {
  const unknown = names.find((name) => !cells.some((cell) => cell.name === name));
  if (unknown !== undefined) throw new RangeError(`there is no cell ${unknown}`);
  return names.length === 0 ? cells : cells.filter(({ name }) => names.includes(name));
}
