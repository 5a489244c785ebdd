// Runs a step of a long job in chunks. Each chunk reads and computes on its own, and the results are added up in the order of the
// chunks. Many chunks run in threads, on all cores; for a few, starting threads is not worth it.
import type { Services } from '#core/module/services.ts';
import { type Connections, connectionsOf, type Db } from '#core/platform/db.ts';
import { startWorkerPool, type WorkerPool } from '#core/platform/process/worker-pool.ts';

/** The services of a chunk, in this process and in a thread. */
export type ChunkServices = Pick<Services, 'capabilities' | 'db' | 'itemBanks' | 'rules'>;

/** The data that a thread is started with. */
export interface ChunkData {
  readonly connections: Connections;
  readonly bankVersion: number;
}

export const chunkThreads = (db: Db, { currentVersion }: Services['itemBanks']): WorkerPool => {
  const data: ChunkData = { connections: connectionsOf(db), bankVersion: currentVersion };
  return startWorkerPool({ program: 'workers/steps/worker.ts', data });
};

/** How one kind of job runs a chunk; `name` is the name of the task in a thread. */
export interface ChunkTask<Question, Answer> {
  readonly name: string;
  run(services: ChunkServices, question: Question): Promise<Answer>;
}

/** Fewer chunks than this run in this process, one after the other. */
const worthThreads = 3;

/** Returns answers in the order of the questions. Throws the first error of a chunk after all chunks have ended. */
export async function inChunks<Question, Answer>(
  services: ChunkServices & Pick<Services, 'chunkThreads'>,
  { name, run }: ChunkTask<Question, Answer>,
  questions: readonly Question[],
): Promise<Answer[]> {
  const answers: Answer[] = [];
  if (questions.length < worthThreads) {
    for (const question of questions) answers.push(await run(services, question));
    return answers;
  }
  const asked = questions.map((question) => services.chunkThreads.run(name, question) as Promise<Answer>);
  for (const settled of await Promise.allSettled(asked)) {
    if (settled.status === 'rejected') throw settled.reason;
    answers.push(settled.value);
  }
  return answers;
}

/** Splits a list into lists of at most `size`, in order. */
export function slicesOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
