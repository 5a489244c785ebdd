// The rules on the command line: check the documents, analyse and compare them, run their golden cases, freeze them,
// ask them a question. A command answers whether all is well, which is the exit code that scripts and CI rely on.
import { analyse } from './rules/analyse.ts';
import { test, writeWitnesses } from './rules/cases.ts';
import { diff } from './rules/diff.ts';
import { freeze, verify } from './rules/freeze.ts';
import { lint } from './rules/lint.ts';
import { type Output, terminal } from './rules/terminal.ts';
import { tryFacts } from './rules/try.ts';

const usage = `npm run rules -- <command> [--json]
  lint                             strict checks of every document, warnings too
  analyse [family/key[@v] …]       gaps, unreachable rules, monotonicity, pipeline, mutation score; all tables by default
  analyse --twice [family/key …]   the same, with every cell walked as a second opinion
  diff family/key@1 family/key@2   changed regions, constants and words, and the level of the change
  test                             golden cases of every decision table
  witness [family/key@v …]         write the golden cases of tables that are not frozen
  freeze [family/key@v …]          add what is new to rules/frozen.lock, for good
  verify                           lint, test, and nothing frozen changed
  try family/key[@v] '{"…"}'       decide one set of facts, with the trace and the smallest change that flips it
Exit code 0 when there is no error, else 1.`;

type Command = (args: readonly string[], out: Output) => Promise<boolean>;

const commands: Readonly<Record<string, Command>> = {
  lint,
  analyse,
  diff,
  test,
  witness: writeWitnesses,
  freeze,
  verify,
  try: tryFacts,
};

const [command = '', ...args] = process.argv.slice(2).filter((argument) => argument !== '--json');
const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
if (!run) console.error(usage);
const out = terminal({ isJson: process.argv.includes('--json'), isTty: process.stdout.isTTY === true });
try {
  process.exitCode = run && (await run(args, out)) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
