// Builds the next version of the item bank from the authors' cells and reports findings that prevent it.
import fs from 'node:fs/promises';
import path from 'node:path';
import { jsonValidator } from '#core/platform/pure/json-schema.ts';
import type { CatalogueDocument } from '#rules/catalogue/index.ts';
import { readCalibration } from './calibration-file.ts';
import type { BankDocument } from './engine/bank.ts';
import { type BankRules, buildBank } from './engine/build-bank.ts';
import { checkCell } from './engine/check-source.ts';
import { bankWords } from './engine/checks/readings.ts';
import type { WordLists } from './engine/checks/word-lists.ts';
import { type BandGrades, type GradeBand, gradeBands } from './engine/item.ts';
import { type SourceCell, SourceItem } from './engine/source.ts';
import { bankDir, bankPath, loadItemBank, readJson } from './files.ts';
import { readWordLists } from './word-list-files.ts';

/**
 * The version that is built, and the versions of the documents used for it. They never change for a published version.
 */
const recipe = { version: 2, catalogue: 2, measurement: 1, calibration: null } as const;

const wrongItems = jsonValidator(() => ({ type: 'array', items: SourceItem }));

/** Returns the required cells: each item-measured sub-skill in each grade band that it covers. */
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

/** Builds the bank's text from the source cells. With findings, the text must not be used. */
export async function buildItemBank(rulesDir: string): Promise<BuiltBank> {
  const rules = await buildRules(rulesDir);
  const { cells, findings } = await readCells(rulesDir, rules.wanted);
  const bank = buildBank(cells, rules);
  return {
    text: bankText(bank),
    path: bankPath(rulesDir, bank.version),
    findings: [...findings, ...checked(cells, cells, rules), ...unbalanced(bank)],
  };
}

/**
 * Returns the findings of the named cells, while other cells may still be incomplete. Throws RangeError for an unknown
 * cell.
 */
export async function checkCells(rulesDir: string, names: readonly string[]): Promise<string[]> {
  const rules = await buildRules(rulesDir);
  const unknown = names.find((name) => !rules.wanted.includes(name));
  if (unknown !== undefined) throw new RangeError(`there is no cell ${unknown}`);
  const { cells, findings } = await readCells(rulesDir, rules.wanted);
  const own = cells.filter((cell) => names.includes(cellName(cell)));
  const isOwn = (line: string) => names.some((name) => line.startsWith(name));
  return [...findings.filter(isOwn), ...checked(own, cells, rules), ...unbalanced(buildBank(own, rules))];
}

const cellName = ({ subSkillCode, gradeBand }: SourceCell) => `${subSkillCode}.${gradeBand}`;

interface BuildRules extends BankRules {
  readonly wanted: readonly string[];
  readonly optionCount: Readonly<Record<GradeBand, number>>;
  readonly lists: WordLists;
}

/** The values of `scoring/measurement` that a build uses. */
interface BuildValues extends Pick<BankRules, 'expectedSeconds' | 'calibrationVersion'> {
  readonly gradeBands: Readonly<Record<GradeBand, { readonly grades: readonly number[]; readonly options: number }>>;
}

async function buildRules(rulesDir: string): Promise<BuildRules> {
  const catalogue = await readJson<CatalogueDocument>(
    path.join(rulesDir, `catalogue/subskills/${recipe.catalogue}.json`),
  );
  const measurement = await readJson<BuildValues>(
    path.join(rulesDir, `scoring/measurement/${recipe.measurement}.json`),
  );
  const previous = await loadItemBank(rulesDir, recipe.version - 1);
  return {
    version: recipe.version,
    previous: new Map(previous.items.map((item) => [item.id, item])),
    wanted: wantedCells(catalogue, measurement.gradeBands),
    orderOf: new Map(catalogue.subSkills.map(({ code, order }) => [code, order])),
    familyOf: new Map(catalogue.microPatterns.map(({ code, errorFamily }) => [code, errorFamily])),
    expectedSeconds: measurement.expectedSeconds,
    calibrationVersion: measurement.calibrationVersion,
    optionCount: { G12: measurement.gradeBands.G12.options, G34: measurement.gradeBands.G34.options },
    calibrated: await readCalibration(rulesDir, recipe.calibration),
    lists: await readWordLists(bankDir(rulesDir)),
  };
}

function checked(own: readonly SourceCell[], all: readonly SourceCell[], rules: BuildRules): string[] {
  const words = bankWords(all);
  return own.flatMap((cell) => checkCell(cell, { ...rules, words }));
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
    const wrong = wrongItems(items).map(({ instancePath, message }) => `${cell}${instancePath} ${message}`);
    findings.push(...wrong);
    const gradeBand = band === 'G12' ? 'G12' : 'G34';
    if (wrong.length === 0) cells.push({ subSkillCode, gradeBand, items: items as SourceItem[] });
  }
  return { cells, findings };
}

/** Right answers must be spread evenly: within a cell the counts per position differ by at most two. */
function unbalanced(bank: BankDocument): string[] {
  const byCell = new Map<string, number[]>();
  for (const { subSkillCode, gradeBand, options, correctIndex } of bank.items) {
    const cell = `${subSkillCode}.${gradeBand}`;
    const counts = byCell.get(cell) ?? options.map(() => 0);
    counts[correctIndex] = (counts[correctIndex] ?? 0) + 1;
    byCell.set(cell, counts);
  }
  return [...byCell]
    .filter(([, counts]) => Math.max(...counts) - Math.min(...counts) > 2)
    .map(([cell, counts]) => `${cell}: right answers by position ${counts.join(', ')}`);
}

/** Returns the bank's text with one item a line, for a readable diff. */
function bankText({ version, items }: BankDocument): string {
  return `{"version":${version},"items":[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]}\n`;
}
