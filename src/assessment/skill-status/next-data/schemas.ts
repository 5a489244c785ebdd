// Schemas of the plans of what to measure next.
import Type from 'typebox';
import { Count, IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { haltReasons } from '../engine/vocabulary.ts';
import { RuleVersions } from '../reads/schemas.ts';
import { HaltAction } from '../results/enum-schemas.ts';

const Minutes = named('Minutes', Type.Number({ minimum: 0 }));

const Action = named(
  'Action',
  object({
    action: HaltAction,
    subSkillCodes: Type.Array(Type.String()),
    formCode: nullable(Type.String()),
    itemsNeeded: Count,
    minutes: Minutes,
    ends: Type.Array(object({ subSkillCode: Type.String(), reason: oneOf([...haltReasons, 'REQUIRED_ROLE']) })),
  }),
);

export const StudentPlanView = named(
  'StudentPlan',
  object({
    studentId: IntegerId,
    asOf: nullable(Timestamp),
    halted: Type.Boolean(),
    actions: Type.Array(Action),
    totalMinutes: Minutes,
    ruleVersions: RuleVersions,
  }),
);

/** Default length when the caller gives none. */
export const usualSessionMinutes = 15;

export const ClassPlanQuery = named(
  'ClassPlanQuery',
  object({
    minutesPerSession: Type.Optional(Type.Integer({ minimum: 1, maximum: 240, default: usualSessionMinutes })),
  }),
);

export const ClassPlanView = named(
  'ClassPlan',
  object({
    classId: IntegerId,
    asOf: nullable(Timestamp),
    sessions: Type.Array(
      object({
        sessionNo: Type.Integer({ minimum: 1 }),
        minutes: Minutes,
        exceedsLength: Type.Boolean({
          description: 'A single action is longer than a session: it stands alone in this one.',
        }),
        entries: Type.Array(object({ studentId: IntegerId, actions: Type.Array(Action) })),
      }),
    ),
    totalMinutes: Minutes,
    students: object({ halted: Count, coverable: Count }),
    ruleVersions: RuleVersions,
  }),
);
