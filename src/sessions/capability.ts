// What blueprint sessions bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { auditedSessions } from './audited.ts';
import { sessionsSection } from './personal-data.ts';

export const sessionsCapability: Capability = {
  name: 'sessions',
  personalData: [sessionsSection],
  audited: auditedSessions,
};
