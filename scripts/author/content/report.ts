// `content report`: the contents of the bank, the calibration of its items, their reviews, and what must be recorded before
// decisions may depend on it.
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import { type AudioPack, readAudioPack } from '#assessment/content/items/audio/pack.ts';
import { calibrationState, letterCoverage, patternCoverage } from '#assessment/content/items/engine/bank-coverage.ts';
import type { Item } from '#assessment/content/items/engine/item.ts';
import { reviewState } from '#assessment/content/items/engine/review.ts';
import { type Risk, risks, risksOf } from '#assessment/content/items/engine/synthesis.ts';
import { readReviews } from '#assessment/content/items/review/files.ts';
import type { Output } from '../rules/terminal.ts';
import { type Cell, cellOf, readContent, rulesDir } from './bank.ts';
import type { Input } from './command.ts';

export async function report({ bankVersion }: Input, out: Output): Promise<boolean> {
  const { cells, items, values } = await readContent(bankVersion);
  const pack = readAudioPack(rulesDir);
  const recordings = await recordingState(items, pack);
  const rows = await Promise.all(cells.map((cell) => cellRow(cell, values.trustedCalibrationN, pack)));
  const letters = letterCoverage(items);
  const patterns = patternCoverage(items);
  out.line(`Bank ${bankVersion}: ${items.length} items in ${cells.length} cells\n`);
  out.table([
    ['cell', 'items', 'provisional', 'signed', 'language', 'specialist', 'to record', 'recorded'],
    ...rows.map((row) => [
      row.cell,
      ...[row.items, row.calibration.provisional, row.review.authored, row.review.languageReviewed].map(String),
      ...[row.review.specialistReviewed, row.toRecord.length, row.recorded].map(String),
    ]),
  ]);
  printLetters(letters, out);
  out.line(
    `\nPatterns: ${Object.entries(patterns)
      .map(([code, count]) => `${code} ${count}`)
      .join(', ')}`,
  );
  printRisks(items, out);
  out.line(`\nRecordings: pack ${recordings.version}, ${recordings.recorded} of ${recordings.speeches} speeches`);
  for (const sha256 of recordings.altered) out.line(`altered recording: ${sha256}`);
  out.json({ bankVersion, cells: rows, letters, patterns, recordings });
  return recordings.altered.length === 0;
}

async function cellRow({ name, items }: Cell, provisionalBelow: number, pack: AudioPack) {
  const toRecord = items.filter((item) => risksOf(item).length > 0);
  return {
    cell: name,
    items: items.length,
    calibration: calibrationState(items, provisionalBelow),
    review: reviewState(items, await readReviews(rulesDir, name)),
    toRecord: toRecord.map((item) => ({ id: item.id, risks: risksOf(item) })),
    recorded: toRecord.filter((item) => speechesOf(item).every((speech) => pack.urlOf(speech) !== null)).length,
  };
}

function printLetters(letters: ReturnType<typeof letterCoverage>, out: Output): void {
  const codes = [...new Set(letters.flatMap(({ items }) => Object.keys(items)))];
  out.line('\nLetters: items that ask for the letter, or for a word or sound that begins with it');
  out.table([
    ['letter', ...codes],
    ...letters.map(({ letter, items }) => [letter, ...codes.map((code) => String(items[code] ?? 0))]),
  ]);
}

function printRisks(items: readonly Item[], out: Output): void {
  out.line('\nSpeech synthesis reads these wrongly (k by cell)');
  for (const risk of risks) {
    const own = items.filter((item) => risksOf(item).includes(risk));
    out.line(`${riskNames[risk]}: ${own.length} items`);
    for (const cell of new Set(own.map(cellOf))) {
      const members = own.filter((item) => cellOf(item) === cell);
      out.line(`  ${cell}  ${members.map(({ id }) => Number(id.slice(-2))).join(' ')}`);
    }
  }
}

const riskNames: Readonly<Record<Risk, string>> = {
  isolated_sound: 'Isolated sounds',
  blend: 'Blends and cut words',
  minimal_pair: 'Minimal pairs',
};

const speechesOf = ({ prompt, options }: Item): string[] => [
  prompt.speech,
  ...options.flatMap(({ speech }) => speech ?? []),
];

/** Checks the recordings: a file that differs from the manifest would be cached for a year under the wrong name. */
async function recordingState(items: readonly Item[], pack: AudioPack) {
  const speeches = new Set(items.flatMap(speechesOf));
  const altered: string[] = [];
  for (const { file, sha256 } of pack.recordings) {
    const actual = createHash('sha256')
      .update(await fs.readFile(file))
      .digest('hex');
    if (actual !== sha256) altered.push(sha256);
  }
  const recorded = [...speeches].filter((speech) => pack.urlOf(speech) !== null).length;
  return { version: pack.version, speeches: speeches.size, recorded, altered };
}
