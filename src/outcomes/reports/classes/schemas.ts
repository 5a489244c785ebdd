// Schemas of the class summary.
import Type from 'typebox';
import { tileValues } from '#assessment/skill-status/index.ts';
import { Count, IntegerId, named, nullable, object, Timestamp } from '#core/http/schemas.ts';
import { Aggregate, aggregateHead } from '../../aggregates/index.ts';
import { DataAction, ReportedVersions, TileWord } from '../students/schemas.ts';

const tileName = { tileCode: Type.String(), nameAr: Type.String() };
const counts = object(Object.fromEntries([...tileValues, 'Not_Assessed'].map((word) => [word, Count])));
const student = { studentId: IntegerId, fullNameAr: Type.String() };

const TeacherSummary = named(
  'ClassSummaryForTeachers',
  object({
    classId: IntegerId,
    audience: Type.Literal('teacher'),
    asOf: nullable(Timestamp),
    ruleVersions: ReportedVersions,
    studentCount: Count,
    macroTiles: Type.Array(
      object({ ...tileName, counts, students: Type.Array(object({ ...student, status: TileWord })) }),
    ),
    moreDataNeeded: object({
      count: Count,
      students: Type.Array(object({ ...student, nextRecommendedDataAction: DataAction })),
    }),
  }),
);

const ManagerSummary = named(
  'ClassSummaryForManagers',
  object({
    classId: IntegerId,
    audience: Type.Literal('manager'),
    ...aggregateHead,
    studentCount: Count,
    macroTiles: Type.Array(Aggregate),
  }),
);

export const ClassSummary = Type.Union([TeacherSummary, ManagerSummary]);
