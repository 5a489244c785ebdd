// Request and response schemas of drafts.
import Type from 'typebox';
import { Cuid, IntegerId, named, nullable, object, oneOf, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { changeLevels, findingView, type RuleDiff } from '#rules/rulesets/index.ts';
import { declineReasons, draftStates } from '../enums.ts';
import {
  AnyDocument,
  BoxSchema,
  DiffLevel,
  FamilyName,
  GoldenCaseView,
  KeyName,
  OriginView,
  Sha256,
  UserIds,
} from '../schemas.ts';
import type { DraftFinding } from '../validation/engine/proposals.ts';

export const FindingView = named(
  'Finding',
  Type.Unsafe<DraftFinding>(
    findingView({
      boxes: Type.Optional(Type.Array(BoxSchema)),
      proposedRow: Type.Optional(AnyDocument),
      proposedCases: Type.Optional(Type.Array(GoldenCaseView)),
    }),
  ),
);

const BaseVersion = named('BaseVersion', Type.Integer({ minimum: 0, maximum: 999_999_999 }));
/** A check of its own reads the cases, whose messages name the case. */
const Cases = Type.Array(Type.Unknown(), { maxItems: 2_000 });

export const NewDraftBody = object({
  baseVersion: BaseVersion,
  document: Type.Optional(AnyDocument),
  cases: Type.Optional(Cases),
});
export const DraftEditBody = object({ document: AnyDocument, cases: Type.Optional(Cases) });
export const DraftsQuery = object({ ...pageQuery, state: Type.Optional(named('DraftState', oneOf(draftStates))) });

const baseInForce = Type.Boolean({
  description:
    'The base is what is in force. False: it was rolled back or never activated, and this draft brings its change too.',
});

export const DraftView = named(
  'Draft',
  object({
    draftId: Cuid,
    family: FamilyName,
    key: KeyName,
    baseVersion: BaseVersion,
    baseInForce,
    state: named('DraftState', oneOf(draftStates)),
    sha256: Sha256,
    /** Hash of text and cases; the ETag is the same in quotes. */
    etag: Sha256,
    document: AnyDocument,
    cases: Type.Array(GoldenCaseView),
    level: DiffLevel,
    quorum: Type.Integer({ minimum: 1 }),
    approvals: Type.Array(object({ userId: IntegerId, sha256: Sha256, at: Timestamp })),
    authorUserId: IntegerId,
    editorUserIds: UserIds,
    origin: OriginView,
    findings: nullable(Type.Array(FindingView)),
    mutationScore: nullable(Type.Number()),
    declineReason: nullable(named('DeclineReason', oneOf(declineReasons))),
    updatedAt: Timestamp,
  }),
);

export const ValidationView = named(
  'Validation',
  object({
    valid: Type.Boolean(),
    baseInForce,
    findings: Type.Array(FindingView),
    mutationScore: nullable(Type.Number()),
  }),
);

export const DiffQuery = object({
  against: Type.Optional(Type.String({ maxLength: 9, pattern: '^([1-9][0-9]{0,8}|active|base)$' })),
});

const Changed = () => Type.Array(object({ name: Type.String(), before: Type.Unknown(), after: Type.Unknown() }));
const RegionAnswer = nullable(object({ ruleId: Type.String(), outcome: Type.String(), params: AnyDocument }));

export const DiffView = named(
  'Diff',
  Type.Unsafe<RuleDiff>(
    object({
      before: Type.String(),
      after: Type.String(),
      level: oneOf(changeLevels),
      constants: Changed(),
      facts: Changed(),
      sections: Changed(),
      regions: nullable(
        Type.Array(
          object({ before: RegionAnswer, after: RegionAnswer, share: Type.Number(), boxes: Type.Array(BoxSchema) }),
        ),
      ),
    }),
  ),
);

export const SubmitBody = object({ quorum: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })) });
/** `etag` also identifies the cases that were read. */
export const ApproveBody = object({
  sha256: Sha256,
  etag: Type.Optional(Sha256),
  reportHash: Type.Optional(Sha256),
});
export const DeclineBody = object({ reason: named('DeclineReason', oneOf(declineReasons)) });
