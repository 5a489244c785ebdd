// Request and response schemas of projector runs.
import Type from 'typebox';
import { Count, Cuid, IntegerId, named, object, oneOf } from '#core/http/schemas.ts';
import { LessonItem } from '../../lesson-blueprints/index.ts';
import { OptionChoice } from '../answers/schemas.ts';
import { projectorMarks } from '../enums.ts';
import { ItemRef } from '../lessons/schemas.ts';

const maxSeats = 40;
const SeatNo = Type.Integer({ minimum: 1, maximum: maxSeats });

export const ProjectorSetupBody = named(
  'ProjectorSetupBody',
  object({
    seats: Type.Array(object({ seatNo: SeatNo, studentId: IntegerId, itemRef: Type.Optional(ItemRef) }), {
      minItems: 1,
      maxItems: maxSeats,
    }),
  }),
);

const { itemRef: _itemRef, ...displayedItem } = LessonItem.properties;

export const ProjectorSetup = named(
  'ProjectorSetup',
  object({
    projectorRunId: Cuid,
    state: Type.Literal('open'),
    display: Type.Array(object({ seatNo: SeatNo, ...displayedItem })),
  }),
);

export const ProjectorAnswerKey = named(
  'ProjectorAnswerKey',
  object({
    projectorRunId: Cuid,
    seats: Type.Array(object({ seatNo: SeatNo, studentId: IntegerId, itemRef: ItemRef, correctOptionIndex: Count })),
  }),
);

export const ProjectorMarksBody = named(
  'ProjectorMarksBody',
  object({
    projectorRunId: Cuid,
    marks: Type.Array(
      object({
        seatNo: SeatNo,
        mark: oneOf(projectorMarks),
        selectedOptionIndex: Type.Optional(OptionChoice),
      }),
      { minItems: 1, maxItems: maxSeats },
    ),
  }),
);

export const ProjectorMarked = named('ProjectorMarked', object({ marked: Count, remaining: Count }));
export const ProjectorCommitBody = named('ProjectorCommitBody', object({ projectorRunId: Cuid }));
export const ProjectorCommitted = named(
  'ProjectorCommitted',
  object({ projectorRunId: Cuid, committed: Count, skipped: Count }),
);
