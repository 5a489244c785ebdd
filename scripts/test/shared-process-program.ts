// The program of a shared process, which runs the test files that it is sent one after another: loading and warming up the
// service takes longer than most files. Each file has a database of its own, and its program is loaded once; it must leave no
// resource open.
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Order } from './shared-process.ts';

interface UvuGlobals {
  UVU_DEFER?: boolean;
  UVU_QUEUE: unknown[][];
}

/** Four times V8's default: code that a file calls a few hundred times is not worth optimizing. */
setFlagsFromString('--interrupt-budget=500000');

const pollMs = 5;
const uvuGlobals = globalThis as unknown as UvuGlobals;
// Read when uvu is loaded: files queue their suites, and this program runs them.
uvuGlobals.UVU_DEFER = true;
const { exec } = await import('uvu');

// Both streams open on first use; afterwards they do not count as resources of a file.
process.stdout.write('');
process.stderr.write('');
// One stream keeps the order: the end mark would otherwise overtake what a file wrote to the other one.
process.stderr.write = process.stdout.write.bind(process.stdout);

process.on('message', (order: Order) => run(order));
// The parent process has ended.
process.on('disconnect', () => process.exit(1));

async function run({ program, endMark, environment, lingerMs }: Order): Promise<void> {
  Object.assign(process.env, environment);
  process.exitCode = undefined;
  uvuGlobals.UVU_QUEUE.splice(0, Infinity, [null]);
  const before = openResources();
  await import(pathToFileURL(program).href);
  if (uvuGlobals.UVU_QUEUE[0]?.length !== 1) await exec();
  const open = await stillOpen(before, lingerMs);
  process.stdout.write(`\n${endMark} ${process.exitCode ?? 0} ${open.join() || 'clean'}\n`);
}

/** Returns the kinds of resources that keep this process alive. */
const openResources = (): string[] => process.getActiveResourcesInfo();

/** Returns the kinds of resources that the file has not closed in time; empty if there are none. */
async function stillOpen(before: readonly string[], lingerMs: number): Promise<string[]> {
  const deadline = performance.now() + lingerMs;
  for (;;) {
    const open = opened(before);
    if (open.length === 0 || performance.now() > deadline) return open;
    // This timer is unreferenced, so it does not count as a resource.
    await new Promise((resolve) => setTimeout(resolve, pollMs).unref());
  }
}

function opened(before: readonly string[]): string[] {
  const open = openResources();
  for (const kind of before) {
    const at = open.indexOf(kind);
    if (at >= 0) open.splice(at, 1);
  }
  return open;
}
