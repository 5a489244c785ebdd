// Schemas of the workflow: activations, reviews and drafts.
import Type from 'typebox';
import { nextDataActions } from '#assessment/skill-status/index.ts';
import { Cuid, EnteredDate, IntegerId, IntegerIdText, named, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { AssignmentView } from '../assignments/reads/schemas.ts';
import { reviewActions } from '../engine/assignments/moves.ts';
import { deliveryModes, scaffoldTiers } from '../engine/vocabulary.ts';

const BundleWord = Type.String({ minLength: 1, maxLength: 64 });
const CodeWord = Type.String({ minLength: 1, maxLength: 64 });

/** A selected bundle; missing values follow from the bundle and the student. */
const chosen = {
  scaffoldTier: Type.Optional(oneOf(scaffoldTiers)),
  deliveryMode: Type.Optional(oneOf(deliveryModes)),
  startOn: Type.Optional(EnteredDate),
  overrideCode: Type.Optional(CodeWord),
};
const confirmation = { confirmOffRecommendation: Type.Optional(Type.Boolean()) };

export const ActivationBody = object({
  studentId: IntegerId,
  bundle_id: BundleWord,
  ...chosen,
  ...confirmation,
  providerUserId: Type.Optional(IntegerId),
});

export const ReviewBody = object({
  assignmentId: Cuid,
  action: oneOf(reviewActions),
  reasonCode: Type.Optional(CodeWord),
  bundle_id: Type.Optional(BundleWord),
  ...chosen,
  ...confirmation,
  providerUserId: Type.Optional(IntegerId),
});

/** The evidence about the student is insufficient; nothing was written. */
export const Blocked = named(
  'BlockedByEvidence',
  object({
    outcome: oneOf(['blocked_insufficient_evidence']),
    recommended_bundle_id: Type.Null(),
    nextRecommendedDataAction: oneOf(nextDataActions),
  }),
);

const Replaced = named('ReplacedAssignment', object({ superseded: AssignmentView, assignment: AssignmentView }));
export const Reviewed = Type.Union([AssignmentView, Replaced, Blocked]);

const draftSteps = ['select_students', 'select_bundle', 'schedule', 'confirm'] as const;

const DraftContent = named(
  'WorkflowDraft',
  object({
    step: oneOf(draftSteps),
    selections: Type.Array(object({ studentId: IntegerId, bundle_id: Type.Optional(BundleWord), ...chosen }), {
      maxItems: 60,
    }),
  }),
);

export const DraftBody = object({ classId: IntegerId, draft: DraftContent });

export const workflowDraftParams = object({ teacherId: IntegerIdText, classId: IntegerIdText });

export const WorkflowDraftView = named(
  'SavedWorkflowDraft',
  object({
    ...{ teacherId: IntegerId, classId: IntegerId },
    draft: DraftContent,
    ...{ savedAt: Timestamp, expiresAt: Timestamp },
  }),
);
