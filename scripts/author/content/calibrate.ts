// `content calibrate`: proposes difficulties from stored responses. docs/content.md describes what happens with the proposal.
import fs from 'node:fs/promises';
import path from 'node:path';
import { sandbox } from '#app/demo/index.ts';
import { readCellAnswers } from '#assessment/measurement/calibration/answers.ts';
import { calibrateCell, type ProposedCell } from '#assessment/measurement/calibration/engine/calibrate-cell.ts';
import { readConfig } from '#core/platform/config/read-config.ts';
import { connect, type Db, runtimeRole } from '#core/platform/db.ts';
import type { Output } from '../rules/terminal.ts';
import { type Cell, type Content, namedCells, readContent } from './bank.ts';
import type { Input } from './command.ts';

export async function calibrate({ args, bankVersion, options }: Input, out: Output): Promise<boolean> {
  const { databaseUrl } = readConfig(process.env);
  if (databaseUrl === undefined) throw new RangeError('set DATABASE_URL to the database with the responses');
  const content = await readContent(bankVersion);
  const cells = namedCells(content, args);
  const otherFirstLanguage = await languageFlags(options.get('first-language'));
  const db = connect(databaseUrl, { poolSize: 1, actAs: runtimeRole });
  const proposed: Record<string, ProposedCell> = {};
  try {
    for (const cell of cells) {
      const found = await calibrateOne(db, cell, otherFirstLanguage);
      if (found) proposed[cell.name] = found;
    }
  } finally {
    await db.destroy();
  }
  const file = path.resolve(options.get('out') ?? `${nextVersion(content)}.proposal.json`);
  const proposal = {
    version: nextVersion(content),
    basedOn: content.values.calibrationVersion,
    bankVersion,
    cells: proposed,
  };
  await fs.writeFile(file, `${JSON.stringify(proposal, null, 1)}\n`);
  print(proposed, content.values.trustedCalibrationN, out);
  out.line(`${proposal.version}: ${Object.keys(proposed).length} of ${cells.length} cells proposed in ${file}`);
  out.json(proposal);
  return true;
}

async function calibrateOne(db: Db, cell: Cell, otherFirstLanguage: ReadonlyMap<number, boolean>) {
  const [subSkillCode = '', band] = cell.name.split('.');
  const items = cell.items.filter(({ status }) => status === 'active');
  const gradeBand = band === 'G12' ? 'G12' : 'G34';
  const input = { subSkillCode, gradeBand, items, simulated: [sandbox.slug], otherFirstLanguage } as const;
  const answers = await readCellAnswers(db, input);
  try {
    return calibrateCell(answers);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(`${cell.name}: ${error.message}`);
    return undefined;
  }
}

const nextVersion = ({ values }: Content): string =>
  `CAL@${Number(values.calibrationVersion.slice('CAL@'.length)) + 1}`;

/** Reads a file of the operator: student id → whether the first language is another one. Without it no groups are compared. */
async function languageFlags(file: string | undefined): Promise<ReadonlyMap<number, boolean>> {
  if (file === undefined) return new Map();
  const flags: unknown = JSON.parse(await fs.readFile(file, 'utf8'));
  if (typeof flags !== 'object' || flags === null) throw new RangeError(`${file} has no flags by student`);
  return new Map(
    Object.entries(flags).map(([id, flag]) => {
      if (typeof flag !== 'boolean') throw new RangeError(`${file}: the flag of ${id} is neither true nor false`);
      return [Number(id), flag];
    }),
  );
}

function print(proposed: Readonly<Record<string, ProposedCell>>, trusted: number, out: Output): void {
  out.table([
    ['item', 'n', 'b', 'was', 'se', 'infit', 'outfit', 'flags'],
    ...Object.values(proposed).flatMap(({ items }) =>
      items.map((item) => [
        item.id,
        ...[item.n, item.difficulty, item.before, item.se, item.infit, item.outfit].map(String),
        [...item.flags, ...(item.n < trusted ? ['provisional'] : [])].join(' '),
      ]),
    ),
  ]);
}
