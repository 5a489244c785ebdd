// Lessons written directly into their tables, for tests of other parts.

import type { Db } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { Blueprint } from '#teaching/lesson-blueprints/index.ts';
import type { LessonState } from '#teaching/lessons/enums.ts';
import { buildBlueprint } from '../lesson-blueprints/rows.ts';

export interface BuiltLesson {
  readonly organizationId: string;
  readonly classId: number;
  readonly createdBy: number;
  /** Included students, without a decision of the rules. */
  readonly studentIds: readonly number[];
  readonly state?: LessonState;
  readonly blueprint?: Partial<Blueprint>;
  /** Further columns. */
  readonly overrides?: object;
}

const createdAt = '2026-01-12T08:00:00.000Z';

/** Creates a lesson from a new blueprint and returns its ids. */
export async function buildLesson(
  owner: Db,
  { organizationId, classId, createdBy, studentIds, state = 'draft', blueprint = {}, overrides = {} }: BuiltLesson,
): Promise<string> {
  const id = newId();
  const blueprintId = await buildBlueprint(owner, blueprint);
  await owner('teaching_session').insert({
    ...{ id, organizationId, classId, schoolYear: '2025-2026', blueprintId, blueprintVersion: 1 },
    ...{ bundleId: 'BND-DECODE-01', stepNo: 1, sessionRole: 'EXPLICIT_TEACHING', scaffoldTier: null },
    ...{ plannedMinutes: 20, deliveryMode: 'blended', state, segmentOrder: [1, 2], createdBy, createdAt },
    ...stateColumns(state),
    ...overrides,
  });
  for (const studentId of studentIds) {
    await owner('session_recipient').insert({
      ...{ organizationId, sessionId: id, studentId, state: 'included', decidedAt: createdAt },
      ...(state === 'delivered' && { present: true }),
    });
  }
  return id;
}

function stateColumns(state: LessonState): object {
  if (state === 'distributed') return { distributedAt: createdAt };
  if (state === 'delivered') return { deliveredOn: '2026-01-12', closedAt: createdAt };
  return state === 'cancelled' ? { cancelReasonCode: 'Staff_Absent', closedAt: createdAt } : {};
}
