// Resource use of processes, from /proc on Linux; NaN on other systems.
import fs from 'node:fs';

/** The unit of times in /proc, the same on every Linux that Node supports. */
const ticksPerSecond = 100;

/** Returns the processor time of a process and its children, ended ones included, in milliseconds. */
export function cpuMs(pid: number): number {
  const own = statOf(pid);
  if (!own) return 0;
  const children = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
    .filter(({ parent }) => parent === pid);
  const ticks = children.reduce((sum, child) => sum + child.ownTicks, own.ownTicks + own.endedTicks);
  return (ticks * 1_000) / ticksPerSecond;
}

/** Fields are counted after the command's name, which may contain blanks: 4 is the parent, 14 to 17 are times. */
function statOf(pid: number) {
  const text = readIfPresent(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  if (fields.length < 15) return undefined;
  return { parent: field(4), ownTicks: field(14) + field(15), endedTicks: field(16) + field(17) };
}

/** Returns the resident memory in MiB, NaN if it is unknown. */
export function residentMiB(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readIfPresent(`/proc/${pid}/status`))?.[1];
  return kibibytes === undefined ? Number.NaN : Math.round(Number(kibibytes) / 1_024);
}

function readIfPresent(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
