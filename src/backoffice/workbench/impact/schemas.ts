// Schemas of an impact: what is asked for, how far it is, and the report.
import Type from 'typebox';
import { Count, Cuid, IntegerId, mapOf, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { jobStates } from '#core/long-jobs/index.ts';
import { notificationSimulation } from '#messaging/notifications/index.ts';
import { rewardSimulation } from '#outcomes/rewards/index.ts';
import { operatorNames } from '#rules/rulesets/index.ts';
import { Sha256 } from '../schemas.ts';
import { directions, exemplarsOfTransition, reportLayers } from './engine/vocabulary.ts';

const RuleWord = named('RuleWord', Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 60 }));
const Share = named('Share', Type.Number({ minimum: 0, maximum: 1 }));

export const draftParams = object({ family: RuleWord, key: RuleWord, draftId: Cuid });
export const impactParams = object({ jobId: Cuid });

/** Exactly one: an organization, one of its schools, one of its classes, or every organization but demos. */
export const Scope = named(
  'Scope',
  Type.Union([
    object({ organizationId: Cuid }),
    object({ schoolId: Cuid }),
    object({ classId: IntegerId }),
    object({ platform: Type.Literal(true) }),
  ]),
);

/** Without `asOf` the evidence of now is looked at. */
export const ImpactBody = object({ scope: Scope, asOf: Type.Optional(Timestamp) });
export const ImpactStarted = named('ImpactStarted', object({ jobId: Cuid }));

const FactValue = named('FactValue', Type.Union([Type.Number(), Type.String({ maxLength: 2_000 }), Type.Boolean()]));
const FailedCondition = named(
  'FailedCondition',
  object({
    fact: Type.String(),
    operator: oneOf(operatorNames),
    value: Type.Union([FactValue, Type.Array(FactValue)]),
    valueRef: Type.Optional(Type.String()),
    at: Type.String(),
    actual: FactValue,
    negated: Type.Boolean(),
  }),
);

/** What was said of the subject, and why. Without facts where no table was asked. */
const Side = named(
  'Side',
  object({
    ruleId: nullable(Type.String()),
    outcome: Type.String(),
    facts: nullable(mapOf('^[A-Za-z0-9]+$', FactValue)),
    trace: Type.Array(
      object({
        ruleId: Type.String(),
        failed: Type.Optional(FailedCondition),
        held: Type.Optional(Type.Array(FailedCondition)),
      }),
    ),
  }),
);

const Exemplar = named(
  'Exemplar',
  object({
    studentId: IntegerId,
    stampId: Type.String(),
    /** A response, or the code of a sub-skill, domain or tile; beside the pipeline a session or an error pattern; of
     *  rewards a mastery event or the code of a badge, of notifications the event that asked. */
    subject: Type.String(),
    before: Side,
    after: Side,
  }),
);

const layerCounts = {
  layer: oneOf(reportLayers),
  compared: Count,
  changed: Count,
  better: Count,
  worse: Count,
  lateral: Count,
};
const Layer = named(
  'Layer',
  object({
    ...layerCounts,
    transitions: Type.Array(
      object({
        from: Type.String(),
        to: Type.String(),
        count: Count,
        direction: oneOf(directions),
        exemplars: Type.Array(Exemplar, { maxItems: exemplarsOfTransition }),
      }),
    ),
  }),
);

const DocumentName = '^[a-z0-9-]+/[a-z0-9-]+$';
const Versions = named('Versions', mapOf(DocumentName, Type.Integer({ minimum: 1 })));
const StudentCounts = named(
  'StudentCounts',
  object({ total: Count, evaluated: Count, withoutResults: Count, changed: Count }),
);
const group = { students: Count, changed: Count, share: Share };

const sides = { before: Count, after: Count };

/** What mastery events of the last days would have brought; null where the draft is not about rewards. */
const RewardsPart = named(
  'ImpactOnRewards',
  object({
    windowDays: Count,
    students: object({ rewarded: Count, gaining: Count, losing: Count }),
    byKind: Type.Array(
      object({ sourceKind: oneOf(rewardSimulation.masterySourceKinds), events: Count, xp: object(sides) }),
    ),
    /** XP that badges bring. */
    bonusXp: object(sides),
    badges: Type.Array(object({ code: Type.String(), ...sides })),
    celebrations: Type.Array(object({ kind: oneOf(rewardSimulation.celebrationKinds), value: Count, ...sides })),
  }),
);

/** What would have become of the requests of the last days; null where the draft is not about a kind of notification. */
const NoticesPart = named(
  'ImpactOnNotifications',
  object({
    windowDays: Count,
    ...{ kind: Type.String(), requests: Count },
    outcomes: Type.Array(object({ outcome: oneOf(notificationSimulation.simulatedOutcomes), ...sides })),
    /** Days that rows are kept, and rows that a shorter time would take at once. */
    retention: object({ daysBefore: nullable(Count), daysAfter: Count, removedAtOnce: Count }),
  }),
);

export const ImpactReportView = named(
  'ImpactReport',
  object({
    draftId: Cuid,
    sha256: Sha256,
    scope: Scope,
    asOf: Timestamp,
    before: Versions,
    after: Versions,
    companions: Type.Array(
      object({
        family: RuleWord,
        key: RuleWord,
        draftId: Type.Optional(Cuid),
        version: Type.Optional(Type.Integer({ minimum: 1 })),
        sha256: Sha256,
      }),
    ),
    students: StudentCounts,
    layers: Type.Array(Layer),
    bySchool: Type.Array(object({ schoolId: nullable(Cuid), ...group })),
    byGrade: Type.Array(object({ grade: Type.Integer({ minimum: 1, maximum: 4 }), ...group })),
    ruleHits: Type.Array(
      object({ document: Type.String({ pattern: DocumentName }), ruleId: Type.String(), before: Count, after: Count }),
    ),
    /** What activation would write and announce. */
    announcements: object({ skillSnapshots: Count, domainSnapshots: Count, macroUpdates: Count }),
    /** Groups of all classes, and open plans; null where the draft is about neither profiles nor plans nor groups. */
    support: nullable(
      object({
        clusters: object({ formed: Count, dissolved: Count, changed: Count }),
        assignmentsNoLongerCovered: Count,
      }),
    ),
    rewards: Type.Optional(nullable(RewardsPart)),
    notices: Type.Optional(nullable(NoticesPart)),
    /** Students who would be recomputed. */
    recomputes: Count,
    /** Changed constants whose effect is not in the report: they shape what is logged, before any table is asked. */
    notRehearsed: Type.Array(Type.String()),
    /** A part for each organization, where the whole platform was looked at. */
    organizations: Type.Array(
      object({ organizationId: Cuid, students: StudentCounts, layers: Type.Array(object(layerCounts)) }),
    ),
    /** SHA-256 of the canonical text of everything above. */
    reportHash: Sha256,
  }),
);

export const ImpactView = named(
  'Impact',
  object({
    jobId: Cuid,
    state: named('JobState', oneOf(jobStates)),
    progress: object({ done: Count, total: Count }),
    /** Why the job failed. */
    issue: nullable(Type.String()),
    report: Type.Optional(ImpactReportView),
  }),
);
