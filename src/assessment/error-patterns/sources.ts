// The sources of training answers and of deliveries. A new kind of training adds one line to each list.

import type { Trx } from '#core/platform/db.ts';
import type { HintDelivery, TrainingAnswer, TrainingYear } from '../measurement/index.ts';
import { practiceAnswers, practiceDeliveries, trainingAnswers } from '../measurement/index.ts';

type Reader<T> = (trx: Trx, training: TrainingYear) => Promise<T[]>;

export const answerSources: readonly Reader<TrainingAnswer>[] = [
  practiceAnswers,
  (trx, { studentId, schoolYear }) => trainingAnswers(trx, studentId, schoolYear),
];

/** Warm-ups are missing here, since they give no hints. */
export const hintReaders: readonly Reader<HintDelivery>[] = [practiceDeliveries];

export async function readAll<T>(sources: readonly Reader<T>[], trx: Trx, training: TrainingYear): Promise<T[]> {
  const found: T[] = [];
  for (const read of sources) found.push(...(await read(trx, training)));
  return found;
}
