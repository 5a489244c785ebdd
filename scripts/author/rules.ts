// `npm run rules`: validates, analyses, compares, tests, freezes and evaluates rule documents. A command returns whether it
// succeeded, which is the exit code that scripts and CI use.

import { capabilities } from '#app/capabilities.ts';
import { documentValidators } from '#rules/rulesets/document-schemas.ts';
import { documentName } from '#rules/rulesets/engine/document/document.ts';
import { loadRules } from '#rules/rulesets/files.ts';
import { analyse } from './rules/analyse.ts';
import { attest } from './rules/attest.ts';
import { test, writeBoundaryCases } from './rules/cases.ts';
import { change } from './rules/change.ts';
import { diff } from './rules/diff.ts';
import { rulesDir } from './rules/documents.ts';
import { freeze, verify } from './rules/freeze.ts';
import { lint } from './rules/lint.ts';
import { type Output, terminal } from './rules/terminal.ts';
import { tryFacts } from './rules/try.ts';

interface Command {
  /** The arguments after the command's name. */
  readonly takes: string;
  readonly does: string;
  /** The least number of arguments; with fewer the command prints its usage. */
  readonly least: number;
  readonly run: (args: readonly string[], out: Output) => Promise<boolean>;
}

const pair = 'changed regions, constants and words, and the level of the change';
const commands: Readonly<Record<string, Command>> = {
  lint: { takes: '', does: 'strict checks of every document, warnings too', least: 0, run: lint },
  analyse: {
    takes: '[family/key[@v] …]',
    does: 'gaps, unreachable rules, monotonicity, pipeline, mutation score',
    least: 0,
    run: analyse,
  },
  diff: { takes: 'family/key@1 family/key@2', does: pair, least: 2, run: diff },
  change: {
    takes: 'change.json',
    does: 'check a change as the service does: findings, level and changed regions of all its documents together',
    least: 1,
    run: change,
  },
  test: { takes: '', does: 'golden cases of every decision table', least: 0, run: test },
  'boundary-cases': {
    takes: '[family/key@v …]',
    does: 'write the golden cases of tables that are not frozen',
    least: 0,
    run: writeBoundaryCases,
  },
  freeze: { takes: '[family/key@v …]', does: 'add what is new to rules/frozen.lock, for good', least: 0, run: freeze },
  verify: { takes: '', does: 'lint, test, and nothing frozen changed', least: 0, run: verify },
  try: {
    takes: `family/key[@v] '{"fact": value, …}'`,
    does: 'decide one set of facts, with the trace and the smallest change that flips it',
    least: 2,
    run: tryFacts,
  },
  attest: {
    takes: 'verify',
    does: 'verify the stored ledgers against their sealed chains, and name the first broken row',
    least: 1,
    run: attest,
  },
};

const usage = () =>
  [
    'npm run rules -- <command> [--json]',
    ...Object.entries(commands).map(([name, { takes, does }]) => `  ${`${name} ${takes}`.padEnd(40)} ${does}`),
    'Exit code 0 when there is no error, else 1.',
  ].join('\n');

/** Returns the usage of a command with the documents that can be named. */
async function usageOf(name: string, { takes, does }: Command): Promise<string> {
  const ids = (await loadRules(rulesDir, documentValidators(capabilities))).map(
    ({ document }) => `${documentName(document)}@${document.meta.version}`,
  );
  return `npm run rules -- ${name} ${takes}\n  ${does}\nDocuments: ${ids.sort().join(', ')}`;
}

const [name = '', ...args] = process.argv.slice(2).filter((argument) => argument !== '--json');
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
const out = terminal({ isJson: process.argv.includes('--json'), isTty: process.stdout.isTTY === true });
try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function main(): Promise<boolean> {
  if (command && args.length >= command.least) return command.run(args, out);
  console.error(command ? await usageOf(name, command) : usage());
  return false;
}
