// The rows of a practice queue, and their conversion to the engine's state.

import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import type { GradeBand } from '../../content/index.ts';
import type { queueStatuses } from '../enums.ts';
import type { SelectionTier } from '../scoring/engine/select.ts';
import { answeredOf, type PracticeServed, type PracticeState } from './engine/next-item.ts';
import type { Target } from './engine/targets.ts';

export type QueueStatus = (typeof queueStatuses)[number];

/** The versions with which a queue was made; it uses them to its end. */
export interface PinnedPractice {
  readonly catalogueVersion: string;
  readonly bankVersion: string;
  readonly calibrationVersion: string;
  readonly measurementVersion: string;
}

export class PracticeQueue extends Row {
  static override tableName = 'practice_queue';
  static override jsonAttributes = ['targets', 'pinned'];
  declare id: string;
  declare organizationId: string;
  declare studentId: number;
  declare diagnosticSessionId: string;
  declare status: QueueStatus;
  declare schoolYear: string;
  declare gradeBand: GradeBand;
  declare targets: Target[];
  declare closedSubSkills: string[];
  declare seenItemIds: string[];
  declare itemBudget: number;
  declare pinned: PinnedPractice;
  declare seededAt: string;
  /** When it was completed or replaced. */
  declare endedAt: string | null;
  /** Grows in the order of creation. */
  declare seq: number;
}

export class PracticeServedItem extends Row {
  static override tableName = 'practice_served_item';
  static override idColumn = ['organizationId', 'queueId', 'seq'];
  declare id: string;
  declare organizationId: string;
  declare schoolYear: string;
  declare queueId: string;
  declare seq: number;
  declare itemId: string;
  declare itemVersion: number;
  declare subSkillCode: string;
  declare difficultyLogit: number;
  declare calibrationProvisional: boolean;
  declare selectionTier: SelectionTier;
  /** The error pattern that the hint was about; null without a hint. */
  declare hintPatternKey: string | null;
  declare hintTextAr: string | null;
  declare servedAt: string;
}

export class PracticeResponse extends Row {
  static override tableName = 'practice_response';
  static override idColumn = ['organizationId', 'queueId', 'seq'];
  declare servedItemId: string;
  declare organizationId: string;
  declare schoolYear: string;
  declare queueId: string;
  declare seq: number;
  declare selectedOptionIndex: number | null;
  declare skipped: boolean;
  declare correct: boolean;
  /** As reported by the client. */
  declare reportedLatencyMs: number;
  /** The counted latency. */
  declare latencyMs: number;
  declare optionChanges: number;
  declare receivedAt: string;
}

/** A queue with all its rows. */
export interface QueueRecord {
  readonly queue: PracticeQueue;
  readonly served: readonly PracticeServedItem[];
  readonly responses: readonly PracticeResponse[];
}

/** Returns the newest queue in any state. */
export const currentQueue = async (trx: Trx, studentId: number): Promise<PracticeQueue | undefined> =>
  PracticeQueue.query(trx).where({ studentId }).orderBy('seq', 'desc').first();

export async function loadQueue(trx: Trx, queue: PracticeQueue): Promise<QueueRecord> {
  const own = { queueId: queue.id };
  const served = await PracticeServedItem.query(trx).where(own).orderBy('seq');
  const responses = await PracticeResponse.query(trx).where(own).orderBy('seq');
  return { queue, served, responses };
}

export function stateOf({ queue, served, responses }: QueueRecord): PracticeState {
  return {
    targets: queue.targets,
    itemBudget: queue.itemBudget,
    band: queue.gradeBand,
    seenItemIds: new Set(queue.seenItemIds),
    closedSubSkills: new Set(queue.closedSubSkills),
    served: servedRows(served, responses),
  };
}

function servedRows(served: readonly PracticeServedItem[], responses: readonly PracticeResponse[]): PracticeServed[] {
  const answers = new Map(responses.map((response) => [response.seq, response]));
  return served.map(({ id, seq, itemId, subSkillCode, difficultyLogit }) => {
    const { selectedOptionIndex, correct } = answers.get(seq) ?? {};
    const answer = correct === undefined ? null : { selectedOptionIndex: selectedOptionIndex ?? null, correct };
    return { servedItemId: id, seq, itemId, subSkillCode, difficultyLogit, answer };
  });
}

export const answeredIn = (record: QueueRecord): number => answeredOf(stateOf(record).served);
