// A step of a long job in chunks: each reads, computes and compares for itself, and its answer is added to the others' in
// their order. Many chunks are worked at in threads, on all cores; few are not worth waking these.
import type { Services } from '#core/module/services.ts';
import { type Connections, connectionsOf, type Db } from '#core/platform/db.ts';
import { startWorkerPool, type WorkerPool } from '#core/platform/process/worker-pool.ts';

/** What a chunk needs, here and in a thread. */
export type ChunkServices = Pick<Services, 'capabilities' | 'db' | 'itemBanks' | 'rules'>;

/** What a thread is given when it starts. */
export interface ChunkData {
  readonly connections: Connections;
  readonly bankVersion: number;
}

export const chunkThreads = (db: Db, { currentVersion }: Services['itemBanks']): WorkerPool => {
  const data: ChunkData = { connections: connectionsOf(db), bankVersion: currentVersion };
  return startWorkerPool({ program: 'workers/steps/worker.ts', data });
};

/** How one kind of job works at a chunk; `name` is the task's name in a thread. */
export interface ChunkTask<Question, Answer> {
  readonly name: string;
  run(services: ChunkServices, question: Question): Promise<Answer>;
}

/** Fewer chunks than this are done here, one after the other. */
const worthThreads = 3;

/** Answers in the order of the questions. Throws what a chunk throws, when none is under way any more. */
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

/** Lists of at most `size`, in order. */
export function slicesOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
