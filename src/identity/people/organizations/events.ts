// Events about organizations and schools.
import { Cuid, nullable, object } from '#core/http/schemas.ts';
import { eventKind } from '#core/module/events.ts';

export const calendarChanged = eventKind({
  topic: 'calendar.changed',
  summary:
    'The time zone that determines day, season and school year has changed: of a school, or, without `schoolId`, of the organization.',
  payload: object({ schoolId: nullable(Cuid) }),
});
