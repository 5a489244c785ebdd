// Request and response schemas of changes.
import Type from 'typebox';
import {
  Count,
  Cuid,
  IntegerId,
  mapOf,
  named,
  nullable,
  object,
  oneOf,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import { findingView } from '#rules/rulesets/index.ts';
import { activationStates, changeStates, declineReasons } from '../enums.ts';
import {
  AnyDocument,
  BoxSchema,
  DiffLevel,
  FamilyName,
  GoldenCaseView,
  KeyName,
  mostCases,
  Sha256,
  UserIds,
  VersionNumber,
} from '../schemas.ts';
import { mostDocuments } from './edit.ts';
import { ConstantId } from './scopes.ts';
import type { ChangeFinding } from './store.ts';

/** A finding with the document that it is about. */
export const FindingView = named(
  'Finding',
  Type.Unsafe<ChangeFinding>(
    findingView({
      family: FamilyName,
      key: KeyName,
      boxes: Type.Optional(Type.Array(BoxSchema)),
      proposedRow: Type.Optional(AnyDocument),
      proposedCases: Type.Optional(Type.Array(GoldenCaseView)),
    }),
  ),
);

export const BaseVersion = named('BaseVersion', Type.Integer({ minimum: 0, maximum: 999_999_999 }));
/** A check of its own reads the cases, whose messages name the case. */
const Cases = Type.Array(Type.Unknown(), { maxItems: mostCases });

/** Text of one line without controls. */
const line = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';
/** Text of several lines. */
export const lines = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$';
const Title = named('ChangeTitle', Type.String({ minLength: 3, maxLength: 120, pattern: line }));
const Why = named('ChangeWhy', Type.String({ maxLength: 2_000, pattern: lines }));
const Reviewers = Type.Array(IntegerId, { maxItems: 10 });

/** The domain of each constant is that of the facts which are compared with it. */
const mostNumber = Number.MAX_SAFE_INTEGER;
const constantInput = {
  value: Type.Union([
    Type.Number({ minimum: -mostNumber, maximum: mostNumber }),
    Type.String({ maxLength: 200 }),
    Type.Boolean(),
  ]),
  rationale: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000, pattern: lines })),
};

const SentDocument = {
  family: FamilyName,
  key: KeyName,
  document: Type.Optional(AnyDocument),
  cases: Type.Optional(Cases),
};

export const NewChangeBody = object({
  title: Title,
  why: Type.Optional(Why),
  documents: Type.Optional(
    Type.Array(object({ ...SentDocument, baseVersion: Type.Optional(BaseVersion) }), { maxItems: mostDocuments }),
  ),
  constants: Type.Optional(
    Type.Array(object({ constantId: ConstantId, ...constantInput }), { maxItems: mostDocuments }),
  ),
});

export const ChangesListQuery = object({
  ...pageQuery,
  state: Type.Optional(named('ChangeStateQuery', oneOf([...changeStates, 'open']))),
  family: Type.Optional(FamilyName),
  authorUserId: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  waitingFor: Type.Optional(oneOf(['me'])),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
});

export const ChangeEditBody = object({
  title: Type.Optional(Title),
  why: Type.Optional(Why),
  requestedReviewers: Type.Optional(Reviewers),
});

const ConstantValue = nullable(Type.Union([Type.Number(), Type.String(), Type.Boolean()]));
export const ConstantChange = named(
  'ConstantChange',
  object({ id: Type.String(), before: ConstantValue, after: ConstantValue, documents: Type.Array(Type.String()) }),
);

const DocumentHead = named(
  'ChangeDocumentHead',
  object({
    family: FamilyName,
    key: KeyName,
    baseVersion: BaseVersion,
    baseInForce: Type.Boolean({
      description: 'False: the base is not what is in force, so that activating brings more than the change.',
    }),
    sha256: Sha256,
    casesSha256: nullable(Sha256),
    level: DiffLevel,
    mutationScore: nullable(Type.Number()),
    errors: nullable(Count),
    warnings: nullable(Count),
    publishedVersion: nullable(VersionNumber),
  }),
);

/** Quotes included, as in the header. */
const Etag = Type.String({ pattern: '^"[0-9a-z-]+"$', maxLength: 140 });

const head = {
  changeId: Cuid,
  title: Type.String(),
  why: Type.String(),
  state: named('ChangeState', oneOf(changeStates)),
  sha256: Sha256,
  etag: Etag,
  level: DiffLevel,
  documents: Type.Array(DocumentHead),
  constants: Type.Array(ConstantChange),
  quorum: Type.Integer({ minimum: 1 }),
  submission: Count,
  requestedReviewers: UserIds,
  approvals: Type.Array(
    named('ChangeApproval', object({ userId: IntegerId, sha256: Sha256, reportHash: nullable(Sha256), at: Timestamp })),
  ),
  report: nullable(named('ChangeReport', object({ jobId: Cuid, reportHash: Sha256, fresh: Type.Boolean() }))),
  reportRequired: Type.Boolean(),
  declineReason: nullable(named('DeclineReason', oneOf(declineReasons))),
  activation: nullable(
    named(
      'ChangeActivation',
      object({
        entryId: Type.String({ pattern: '^[as][1-9][0-9]*$' }),
        state: oneOf(activationStates),
        activeFrom: Timestamp,
      }),
    ),
  ),
  authorUserId: IntegerId,
  editorUserIds: UserIds,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** `findings`: null before the first check of these texts. */
export const ChangeView = named('RuleChange', object({ ...head, findings: nullable(Type.Array(FindingView)) }));
export const ChangeHeadView = named('RuleChangeHead', object(head));

const TextView = object({ document: AnyDocument, cases: Type.Array(GoldenCaseView) });
export const ChangeDocumentView = named(
  'ChangeDocument',
  object({
    family: FamilyName,
    key: KeyName,
    baseVersion: BaseVersion,
    base: nullable(TextView),
    document: AnyDocument,
    cases: Type.Array(GoldenCaseView),
    sha256: Sha256,
    casesSha256: nullable(Sha256),
    etag: Etag,
    findings: nullable(Type.Array(FindingView)),
    proposedCases: Type.Array(GoldenCaseView),
    mutationScore: nullable(Type.Number()),
  }),
);

export const PutDocumentBody = object({ document: Type.Optional(AnyDocument), cases: Type.Optional(Cases) });
export const ConstantBody = object(constantInput);

const documentName = '^[a-z][a-z0-9-]{0,39}/[a-z0-9][a-z0-9-]{0,79}$';
const checked = {
  valid: Type.Boolean(),
  level: DiffLevel,
  findings: Type.Array(FindingView),
  /** By `family/key`. */
  mutationScores: mapOf(documentName, nullable(Type.Number()), { maxProperties: mostDocuments }),
};
export const CheckView = named(
  'ChangeCheck',
  object({ ...checked, state: named('ChangeState', oneOf(changeStates)), etag: Etag }),
);
export const ExamineBody = object({
  documents: Type.Array(object({ ...SentDocument, document: AnyDocument }), { maxItems: mostDocuments }),
});
export const ExaminationView = named('ChangeExamination', object(checked));

export const AcceptCasesBody = object({
  cases: Type.Array(object({ family: FamilyName, key: KeyName, name: Type.String({ maxLength: 2_000 }) }), {
    minItems: 1,
    maxItems: 500,
  }),
  acceptedChange: Type.String({ minLength: 3, maxLength: 300, pattern: lines }),
});

export const SubmitBody = object({
  quorum: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  requestedReviewers: Type.Optional(Reviewers),
});
export const ApproveBody = object({ sha256: Sha256, reportHash: Type.Optional(Sha256) });
export const DeclineBody = object({ reason: named('DeclineReason', oneOf(declineReasons)) });
