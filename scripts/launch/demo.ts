// `npm run demo`: runs the main use case against a running service, and prints each step with its result; `npm run demo -- rules`
// changes a rule. Without an address it uses this machine, at PORT as `npm start` does.
import { parseArgs } from 'node:util';
import { changeRule, readers, WalkthroughError, walkThrough } from '#app/demo/walkthrough/index.ts';

const usage = `npm run demo -- [rules] [address] [--child ${Object.keys(readers).join('|')}] [--student 1…100] [--fast]`;
const barWidth = 30;

/** Redraws one line; without a terminal only the last state is written. */
function draw(share: number, label: string): void {
  const filled = Math.round(share * barWidth);
  const bar = `   [${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${label}`;
  if (process.stdout.isTTY) process.stdout.write(`\r${bar}\u001b[K`);
  else if (share >= 1) process.stdout.write(bar);
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      child: { type: 'string', default: 'weak-decoding' },
      student: { type: 'string', default: '1' },
      fast: { type: 'boolean', default: false },
    },
  });
  const isOfRules = positionals[0] === 'rules';
  const [address = `http://127.0.0.1:${process.env.PORT ?? 3000}`] = isOfRules ? positionals.slice(1) : positionals;
  const student = Number(values.student);
  if (!URL.canParse(address)) throw new WalkthroughError(`${address} is not a URL.`);
  if (!(Number.isInteger(student) && student >= 1 && student <= 100)) {
    throw new WalkthroughError('--student must be a number from 1 to 100.');
  }
  return { address, isOfRules, student, child: values.child, fast: values.fast };
}

try {
  const { isOfRules, ...input } = readArguments();
  const say = (line: string) => console.log(line);
  await (isOfRules ? changeRule({ ...input, say }) : walkThrough({ ...input, say, draw }));
} catch (error) {
  if (error instanceof WalkthroughError) console.error(error.message);
  else if (isUsageError(error)) console.error(`${error.message}\n${usage}`);
  else console.error(error);
  process.exitCode = 1;
}

function isUsageError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
