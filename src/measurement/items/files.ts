// The item bank on disk: the authors' cells, and the frozen versions built from them.
import fs from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { CatalogueDocument } from '../../skill-status/engine/catalogue.ts';
import type { MeasurementDocument } from '../scoring/engine/values.ts';
import { type BankDocument, type ItemBank, itemBank } from './engine/bank.ts';
import { BankFile } from './engine/bank-schema.ts';
import { buildBank } from './engine/build-bank.ts';
import { checkCell } from './engine/check-source.ts';
import { type BandGrades, gradeBands } from './engine/item.ts';
import { type SourceCell, SourceItem } from './engine/source.ts';

const bankDir = (rulesDir: string) => path.join(rulesDir, 'content/item-bank');
const bankPath = (rulesDir: string, version: number) => path.join(bankDir(rulesDir), `bank.v${version}.json`);

const ajv = new Ajv2020({ strict: false, allErrors: true });
const isBankFile = ajv.compile<BankDocument>(BankFile);
const isItemList = ajv.compile<SourceItem[]>({ type: 'array', items: SourceItem });

/** Throws when the version is missing, is not the bank it claims to be, or holds an item without its right option. */
export async function loadItemBank(rulesDir: string, version: number): Promise<ItemBank> {
  const document = await readJson<unknown>(bankPath(rulesDir, version));
  if (!isBankFile(document)) throw new RangeError(`item bank ${version}: ${ajv.errorsText(isBankFile.errors)}`);
  if (document.version !== version) throw new RangeError(`item bank ${version} says that it is ${document.version}`);
  const broken = document.items.find(({ options, correctIndex }) => correctIndex >= options.length);
  if (broken) throw new RangeError(`item bank ${version}: ${broken.id} has no option ${broken.correctIndex}`);
  return itemBank(document);
}

/** The cells that the bank must hold: each item-measured sub-skill in each band that its grades meet. */
export function wantedCells(catalogue: CatalogueDocument, bands: BandGrades): string[] {
  return catalogue.subSkills
    .filter(({ measuredByOrf }) => !measuredByOrf)
    .flatMap(({ code, grades }) =>
      gradeBands
        .filter((band) => grades.some((grade) => bands[band].grades.includes(grade)))
        .map((band) => `${code}.${band}`),
    );
}

export interface BuiltBank {
  readonly text: string;
  readonly path: string;
  readonly findings: readonly string[];
}

/** Builds the bank's text from the source cells; with findings, the text must not be used. */
export async function buildItemBank(rulesDir: string): Promise<BuiltBank> {
  const catalogue = await readJson<CatalogueDocument>(path.join(rulesDir, 'catalogue/subskills/1.json'));
  const measurement = await readJson<MeasurementDocument>(path.join(rulesDir, 'scoring/measurement/1.json'));
  const familyOf = new Map(catalogue.microPatterns.map(({ code, errorFamily }) => [code, errorFamily]));
  const { cells, findings } = await readCells(rulesDir, wantedCells(catalogue, measurement.gradeBands));
  const optionCount = { G12: measurement.gradeBands.G12.options, G34: measurement.gradeBands.G34.options };
  const bank = buildBank(cells, {
    orderOf: new Map(catalogue.subSkills.map(({ code, order }) => [code, order])),
    familyOf,
    expectedSeconds: measurement.expectedSeconds,
    calibrationVersion: measurement.calibrationVersion,
  });
  return {
    text: bankText(bank),
    path: bankPath(rulesDir, bank.version),
    findings: [
      ...findings,
      ...cells.flatMap((cell) => checkCell(cell, { familyOf, optionCount })),
      ...unbalanced(bank),
    ],
  };
}

async function readCells(
  rulesDir: string,
  wanted: readonly string[],
): Promise<{ cells: SourceCell[]; findings: string[] }> {
  const sourceDir = path.join(bankDir(rulesDir), 'source');
  const present = (await fs.readdir(sourceDir))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -5));
  const findings = wanted.filter((cell) => !present.includes(cell)).map((cell) => `${cell}: no source file`);
  findings.push(...present.filter((cell) => !wanted.includes(cell)).map((cell) => `${cell}: no such cell`));
  const cells: SourceCell[] = [];
  for (const cell of wanted.filter((name) => present.includes(name))) {
    const items = await readJson<unknown>(path.join(sourceDir, `${cell}.json`));
    const [subSkillCode = '', band] = cell.split('.');
    if (isItemList(items)) cells.push({ subSkillCode, gradeBand: band === 'G12' ? 'G12' : 'G34', items });
    else findings.push(...(isItemList.errors ?? []).map((error) => `${cell}${error.instancePath} ${error.message}`));
  }
  return { cells, findings };
}

/** Right answers must not favour a place: within a cell every place holds as many as the others, give or take two. */
function unbalanced(bank: BankDocument): string[] {
  const places = new Map<string, number[]>();
  for (const { subSkillCode, gradeBand, options, correctIndex } of bank.items) {
    const cell = `${subSkillCode}.${gradeBand}`;
    const counts = places.get(cell) ?? options.map(() => 0);
    counts[correctIndex] = (counts[correctIndex] ?? 0) + 1;
    places.set(cell, counts);
  }
  return [...places]
    .filter(([, counts]) => Math.max(...counts) - Math.min(...counts) > 2)
    .map(([cell, counts]) => `${cell}: right answers at places ${counts.join(', ')}`);
}

/** One item a line, for a readable diff. */
function bankText({ version, items }: BankDocument): string {
  return `{"version":${version},"items":[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]}\n`;
}

/** Throws SyntaxError with the file's name. */
async function readJson<T>(file: string): Promise<T> {
  const text = await fs.readFile(file, 'utf8');
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new SyntaxError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
