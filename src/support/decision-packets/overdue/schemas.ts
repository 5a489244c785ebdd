// Schemas of overdue work.
import Type, { type Static } from 'typebox';
import { CalendarDate, Cuid, IntegerId, named, object, oneOf, page, pageQuery } from '#core/http/schemas.ts';

/** In the order of the list for one due day. */
const overdueKinds = ['alert', 'packet', 'plan'] as const;

const OverdueWork = named(
  'OverdueWork',
  object({
    ...{ kind: oneOf(overdueKinds), id: Cuid, studentId: IntegerId, classId: IntegerId, dueOn: CalendarDate },
    daysOverdue: Type.Integer({ minimum: 0, description: 'School days after the due day, up to today.' }),
    waitsFor: oneOf(['teacher', 'specialist', 'administrator']),
  }),
);
export type OverdueWork = Static<typeof OverdueWork>;

export const OverdueWorkList = named('OverdueWorkList', page(OverdueWork));

export const OverdueQuery = object({
  ...pageQuery,
  schoolId: Type.Optional(Cuid),
  classId: Type.Optional(IntegerId),
});
export type OverdueQuery = Static<typeof OverdueQuery>;
