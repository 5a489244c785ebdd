// Rosters of a school and of a country through the service: files, preview, commit, a sync without changes, and the commit
// reverted; the duration of each, and the memory of the two processes.
import { startAnsweringServer } from '../../tests/harness/lms/answering-server.ts';
import type { Row, Section } from '../harness/report.ts';
import { type Service, withService } from '../harness/service.ts';
import { larger, type Resident, type Watched, whenIdle } from './resident.ts';
import { type Step, steps, walkRoster } from './walk.ts';

const warmUpRows = 500;
const quietMs = 5_000;
const mostAbove = '≤ 150 MiB';

export async function benchRoster(sizes: readonly number[]): Promise<Section> {
  const server = await startAnsweringServer();
  try {
    return await withService((service) => measure(service, server, sizes), {
      settings: { LMS_TRUSTED_HOSTS: server.host },
    });
  } finally {
    await server.close();
  }
}

type Server = Awaited<ReturnType<typeof startAnsweringServer>>;

async function measure(service: Service, server: Server, sizes: readonly number[]): Promise<Section> {
  await walkRoster({ service, server }, warmUpRows);
  const idle = await whenIdle(service.pids, quietMs);
  console.error(`idle, MiB ${JSON.stringify(idle)}`);
  const rows: Row[] = [{ contender: 'memory when idle', result: `API ${idle.api} MiB, worker ${idle.worker} MiB` }];
  for (const size of sizes) {
    rows.push(...rowsOf(size, await walkRoster({ service, server }, size), idle));
    await whenIdle(service.pids, quietMs);
  }
  return { title: 'Rosters', note, rows };
}

const seconds = (value: number) => `${value.toPrecision(3)} s`;

function rowsOf(size: number, found: ReadonlyMap<Step, Watched>, idle: Resident): Row[] {
  const all = steps.flatMap((step) => found.get(step) ?? []);
  const above = ({ api, worker }: Resident) => `API ${api - idle.api} MiB, worker ${worker - idle.worker} MiB`;
  const name = `${size.toLocaleString('en')} rows`;
  const together = (found.get('preview')?.seconds ?? Number.NaN) + (found.get('commit')?.seconds ?? Number.NaN);
  const isSchool = size <= 5_000;
  return [
    { contender: `${name}, preview and commit`, result: seconds(together), aim: isSchool ? '≤ 5 s' : '' },
    ...steps.map((step) => {
      const one = found.get(step);
      const result = one
        ? `${seconds(one.seconds)}, processor ${seconds(one.processorSeconds)}; ${above(one.peak)}`
        : '';
      return { contender: `· ${step}`, result, aim: isSchool && step === 'sync without news' ? '≤ 2 s' : '' };
    }),
    {
      contender: '· most memory above idle',
      result: above(all.map(({ peak }) => peak).reduce(larger)),
      aim: mostAbove,
    },
  ];
}

const note = `Half of the rows are people, half their enrollments, 25 in a class. From the asking to the answer, or until the run has ended, over HTTP with one API process and one worker; beside it the processor time of both and of PostgreSQL, and the most memory that each of the two took above idle, which is what they take after a roster of ${warmUpRows} rows. The sync asks a OneRoster service on the same machine for the content of the files. Asserted: the counts of every step.`;
