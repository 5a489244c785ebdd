// `npm run content`: review sheets, the record of decisions, and the report of what exists and what is missing. A command
// returns whether it succeeded, which is the exit code.
import { currentBankVersion } from '#assessment/content/items/banks.ts';
import { calibrate } from './content/calibrate.ts';
import type { Command } from './content/command.ts';
import { record } from './content/record.ts';
import { report } from './content/report.ts';
import { sheet } from './content/sheet.ts';
import { terminal } from './rules/terminal.ts';

const commands: Readonly<Record<string, Command>> = {
  sheet: {
    takes: '[CODE.BAND …] [--out=review-sheets]',
    does: 'one page per cell on which a teacher reviews items with a pen',
    run: sheet,
  },
  record: {
    takes: 'stage decision YYYY-MM-DD CODE.BAND|ITEM …',
    does: 'record a decision about items: authored, languageReviewed or specialistReviewed',
    run: record,
  },
  report: {
    takes: '[--json]',
    does: 'coverage, calibration, review state, recordings, and the items that speech synthesis reads wrongly',
    run: report,
  },
  calibrate: {
    takes: '[CODE.BAND …] [--first-language=flags.json] [--out=CAL@2.proposal.json]',
    does: 'propose difficulties from the stored answers of DATABASE_URL, with n, standard error, fit and differences',
    run: calibrate,
  },
};

const usage = () =>
  [
    'npm run content -- <command> [--bank=<version>]',
    ...Object.entries(commands).map(([name, { takes, does }]) => `  ${`${name} ${takes}`.padEnd(52)} ${does}`),
  ].join('\n');

const words = process.argv.slice(2);
const [name = '', ...args] = words.filter((word) => !word.startsWith('--'));
const options = new Map(
  words.flatMap((word) => {
    const [, option = '', value = ''] = /^--([a-z-]+)=(.*)$/.exec(word) ?? [];
    return option === '' ? [] : [[option, value] as const];
  }),
);
const out = terminal({ isJson: words.includes('--json'), isTty: process.stdout.isTTY === true });
try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function main(): Promise<boolean> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) {
    return command.run({ args, options, bankVersion: Number(options.get('bank') ?? currentBankVersion) }, out);
  }
  console.error(usage());
  return false;
}
