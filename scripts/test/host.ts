// The process that runs test files one after another, as it is told: loading the service, and warming it up, takes
// longer than most files. Each file has its own database, and its program is loaded once; nothing of it may stay open.
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Order } from './shared-process.ts';

interface UvuGlobals {
  UVU_DEFER?: boolean;
  UVU_QUEUE: unknown[][];
}

/** Of V8, four times its own: what a file calls a few hundred times is not worth being optimized. */
setFlagsFromString('--interrupt-budget=500000');

const pollMs = 5;
const uvuGlobals = globalThis as unknown as UvuGlobals;
// Read when uvu is loaded: files queue their suites, and we say when these run.
uvuGlobals.UVU_DEFER = true;
const { exec } = await import('uvu');

// Opened when they are first named; from here on they are nobody's leak.
process.stdout.write('');
process.stderr.write('');

process.on('message', (order: Order) => run(order));
// Whoever gave the orders is gone.
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

/** What keeps this process alive, by kind. */
const openResources = (): string[] => process.getActiveResourcesInfo();

/** What the file leaves behind; empty when all of it has been closed in time. */
async function stillOpen(before: readonly string[], lingerMs: number): Promise<string[]> {
  const deadline = performance.now() + lingerMs;
  for (;;) {
    const open = opened(before);
    if (open.length === 0 || performance.now() > deadline) return open;
    // Not counted itself: a timer that is not waited for.
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
