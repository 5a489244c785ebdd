// Schemas of a student's status, and of the changes of an evaluation.
import Type from 'typebox';
import { nextDataActions, skillStatuses } from '#assessment/skill-status/index.ts';
import { CalendarDate, IntegerId, mapOf, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { mostIntensiveTier } from '../../interventions/index.ts';
import { AlertView } from '../alerts/schemas.ts';
import { skillStates } from '../engine/vocabulary.ts';

const Weeks = Type.Integer({ minimum: 0 });
const RtiVersions = named('RtiVersions', mapOf('^[a-z-]+/[a-z0-9-]+$', Type.Integer({ minimum: 1 })));
const outcome = oneOf(['evaluated', 'do_not_decide_yet']);

export const RtiStatusView = named(
  'RtiStatus',
  object({
    studentId: IntegerId,
    tier: Type.Integer({ minimum: 1, maximum: mostIntensiveTier }),
    tierSince: nullable(CalendarDate),
    weeksInTier: Weeks,
    reviewWeeks: Weeks,
    openAlert: nullable(AlertView),
    dismissedAlerts: Type.Array(AlertView),
    skillStates: Type.Array(
      object({
        subSkillCode: Type.String(),
        state: oneOf(skillStates),
        since: CalendarDate,
        lastStatus: nullable(oneOf(skillStatuses)),
      }),
    ),
    outcome,
    nextRecommendedDataAction: nullable(oneOf(nextDataActions)),
    ruleVersions: RtiVersions,
  }),
);

export const EvaluatedView = named(
  'RtiEvaluation',
  object({
    outcome,
    opened: nullable(AlertView),
    closed: Type.Array(AlertView),
    skillStateChanges: Type.Array(
      object({ subSkillCode: Type.String(), from: nullable(oneOf(skillStates)), to: oneOf(skillStates) }),
    ),
    nextRecommendedDataAction: nullable(oneOf(nextDataActions)),
  }),
);
