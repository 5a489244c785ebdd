// What blueprint sessions bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { answersOfSessions } from './answers/supported.ts';
import { auditedSessions } from './audited.ts';
import { plannedMinutes } from './content/minutes.ts';
import { sessionsSection } from './personal-data.ts';

export const sessionsCapability: Capability = {
  name: 'sessions',
  personalData: [sessionsSection],
  audited: auditedSessions,
  sessionAnswers: answersOfSessions,
  sessionMinutes: plannedMinutes,
};
