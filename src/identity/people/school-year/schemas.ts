// Request and response schemas of the school year of a school.
import Type from 'typebox';
import {
  Count,
  EnteredSchoolYear,
  IntegerId,
  named,
  nullable,
  object,
  SchoolYearName,
  Timestamp,
} from '#core/http/schemas.ts';
import { Name, schoolProperties } from '../organizations/schemas.ts';

export const RollOverBody = named(
  'RollOverBody',
  object({
    fromYear: EnteredSchoolYear,
    dryRun: Type.Optional(Type.Boolean({ description: 'Returns what would happen; nothing is written.' })),
    classes: Type.Optional(
      Type.Array(
        object({
          classId: IntegerId,
          name: Type.Optional(Name),
          skip: Type.Optional(Type.Boolean({ description: 'The class and its students stay as they are.' })),
        }),
        { maxItems: 500 },
      ),
    ),
    repeatStudentIds: Type.Optional(Type.Array(IntegerId, { uniqueItems: true, maxItems: 5000 })),
  }),
);

export const RollOverView = named(
  'RollOver',
  object({
    rollOverId: nullable(IntegerId),
    classes: Type.Array(
      object({
        fromClassId: IntegerId,
        toClassId: nullable(IntegerId),
        isNew: Type.Boolean(),
        name: Type.String(),
        grade: Type.Integer({ minimum: 1, maximum: 4 }),
        students: Count,
      }),
      { description: 'By grade and id. A class of the last grade has no next one: its students leave.' },
    ),
    leaving: Count,
    repeating: Type.Array(IntegerId),
    already: Type.Integer({ minimum: 0, description: 'Students who are in a class of the new year.' }),
  }),
);

export const UndoneView = named(
  'UndoneRollOver',
  object({
    rollOverId: IntegerId,
    undoneAt: Timestamp,
    students: Type.Integer({ minimum: 0, description: 'Students whose former enrollment is open again.' }),
    removedClassIds: Type.Array(IntegerId),
    keptClassIds: Type.Array(IntegerId, { description: 'Classes that it made and that something else uses.' }),
  }),
);

export const SchoolDetail = named(
  'SchoolDetail',
  object({
    ...schoolProperties,
    betweenClasses: Type.Integer({
      minimum: 0,
      description: 'Students whose open enrollment is in a class of another school year.',
    }),
    lastRollOver: nullable(
      object({
        rollOverId: IntegerId,
        ...{
          fromYear: SchoolYearName,
          toYear: SchoolYearName,
          at: Timestamp,
          byUserId: IntegerId,
          undoneAt: nullable(Timestamp),
        },
      }),
    ),
  }),
);
