// Schemas of the sub-skill report.
import Type from 'typebox';
import { nextDataActions, skillStatuses, tileValues } from '#assessment/skill-status/index.ts';
import { CalendarDate, IntegerId, mapOf, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';

export const DataAction = oneOf(nextDataActions);
export const TileWord = oneOf([...tileValues, 'Not_Assessed']);
export const ReportedVersions = mapOf('^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$', Type.Integer({ minimum: 1 }));

const Status = nullable(oneOf(skillStatuses));

const ReportedSubSkill = named(
  'ReportedSubSkill',
  object({
    code: Type.String(),
    nameAr: Type.String(),
    status: Status,
    confidence: nullable(oneOf(['low', 'medium', 'high'])),
    decision_strength: nullable(oneOf(['tentative', 'moderate', 'strong'])),
    itemsScored: Type.Integer({ minimum: 0 }),
    lastMeasuredOn: nullable(CalendarDate),
  }),
);

export const SubSkillReport = named(
  'SubSkillReport',
  object({
    student: object({
      id: IntegerId,
      fullNameAr: Type.String(),
      grade: nullable(Type.Integer({ minimum: 1, maximum: 4 })),
    }),
    asOf: nullable(Timestamp),
    ruleVersions: ReportedVersions,
    dataIncomplete: Type.Optional(
      object({ nextRecommendedDataAction: DataAction, subSkills: Type.Array(Type.String()) }),
    ),
    domains: Type.Array(
      object({ code: Type.String(), nameAr: Type.String(), status: Status, subSkills: Type.Array(ReportedSubSkill) }),
    ),
    macroTiles: Type.Array(
      object({ tileCode: Type.String(), nameAr: Type.String(), status: TileWord, applicable: Type.Boolean() }),
    ),
    voidedEvidence: Type.Integer({ minimum: 0 }),
  }),
);
