// Events of a run: that it was appended, with each of its snapshots.
import Type from 'typebox';
import { IntegerId, nullable, object, oneOf } from '#core/http/schemas.ts';
import { eventKind, TextId } from '#core/module/events.ts';
import { skillStatuses } from '../engine/vocabulary.ts';

const snapshot = { snapshotId: IntegerId, status: nullable(oneOf(skillStatuses)) };

export const macroUpdated = eventKind({
  topic: 'macro.updated',
  summary: 'A run has been appended, with what it decided otherwise than the one before.',
  payload: object({
    studentId: IntegerId,
    runId: TextId,
    halted: Type.Boolean(),
    skills: Type.Array(
      object({ ...snapshot, outcome: oneOf(['decided', 'do_not_decide_yet']), subSkillCode: Type.String() }),
    ),
    domains: Type.Array(
      object({
        ...snapshot,
        outcome: oneOf(['decided', 'do_not_decide_yet', 'not_assessed', 'not_in_scope']),
        domainCode: Type.String(),
      }),
    ),
  }),
});
