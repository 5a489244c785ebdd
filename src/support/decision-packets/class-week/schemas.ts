// Schemas of the week of a class.
import Type, { type Static } from 'typebox';
import { CalendarDate, Count, EnteredDate, IntegerId, named, object } from '#core/http/schemas.ts';

export const ClassWeek = named(
  'ClassWeek',
  object({
    ...{ classId: IntegerId, from: CalendarDate, to: CalendarDate },
    neverMeasured: Type.Array(IntegerId, {
      description: 'Students enrolled now without measurements in this school year.',
    }),
    halted: Type.Array(IntegerId, { description: 'Students enrolled now who are halted in their newest run.' }),
    nextDataMinutes: Type.Number({ minimum: 0, description: 'Of the next-data plan of the class.' }),
    sessionsPlanned: Type.Integer({ minimum: 0, description: 'Of the plans of the class, one for each child.' }),
    sessionsHeld: Type.Integer({ minimum: 0, description: 'Deliveries of the week, one for each child.' }),
    ...{ alertsOpen: Count, overdue: Count },
    plansEnding: Type.Integer({ minimum: 0, description: 'Plans whose last day lies in the week.' }),
  }),
);
export type ClassWeek = Static<typeof ClassWeek>;

export const ClassWeekQuery = object({ on: Type.Optional(EnteredDate) });
