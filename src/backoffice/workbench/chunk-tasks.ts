// The tasks of the threads: chunks of every kind of long job that works in chunks.

import type { ChunkServices, ChunkTask } from './chunks.ts';
import { impactChunk } from './impact/steps/chunk.ts';
import { oneStudentChunk } from './impact/steps/one-student.ts';
import { replayChunk } from './replays/chunk.ts';

const all: readonly ChunkTask<never, unknown>[] = [impactChunk, oneStudentChunk, replayChunk];

export const chunkTasks = (services: ChunkServices) =>
  Object.fromEntries(all.map(({ name, run }) => [name, (question: never) => run(services, question)]));
