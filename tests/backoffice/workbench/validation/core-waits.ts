// How long a thread was ready and no core was free for it: what a busy machine costs, apart from what a program does.
import fs from 'node:fs';

/** Linux: nanoseconds on a core, nanoseconds ready without one, how often it was given one. */
const mainThread = `/proc/self/task/${process.pid}/schedstat`;
const isReported = fs.existsSync(mainThread);

/** Of this process's main thread since its start; 0 where the system does not tell. */
export function waitedForCoreMs(): number {
  if (!isReported) return 0;
  const [, waitedNs] = fs.readFileSync(mainThread, 'utf8').split(' ');
  return Number(waitedNs) / 1e6;
}
