// Request and response schemas of merging two accounts of one child.
import { Count, IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { mergeReasons } from '#identity/people/index.ts';
import { rtiAlertKinds, SupportTierSchema } from '../rti/index.ts';

export const MergeBody = named(
  'MergeStudentsBody',
  object({ intoStudentId: IntegerId, reasonCode: oneOf(mergeReasons) }),
);

/** What stays with the account and that a person has to decide again. */
export const LeftBehind = named(
  'MergeLeftBehind',
  object({ tier: SupportTierSchema, openAlertKind: nullable(oneOf(rtiAlertKinds)), plans: Count, packets: Count }),
);

export const MergedView = named(
  'MergedStudents',
  object({
    mergeId: IntegerId,
    studentId: IntegerId,
    intoStudentId: IntegerId,
    at: Timestamp,
    undoUntil: Timestamp,
    moved: object({ parentLinks: Count, identities: Count }),
    leftBehind: LeftBehind,
  }),
);

export const UndoBody = named('UndoMergeBody', object({}));
