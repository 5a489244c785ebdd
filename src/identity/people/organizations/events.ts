// What people tell others of organizations and schools.
import { Cuid, nullable, object } from '#core/http/schemas.ts';
import { eventKind } from '#core/module/events.ts';

export const calendarChanged = eventKind({
  topic: 'calendar.changed',
  summary:
    'The clocks that tell which day, season and school year it is are others: those of a school, or, without one, of the organization.',
  payload: object({ schoolId: nullable(Cuid) }),
});
