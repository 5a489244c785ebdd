// What other capabilities may use of security events.
export { securityEventsCapability } from './capability.ts';
export type { SecurityEvent, SecurityEventKind } from './kinds.ts';
export { type SecurityEvents, securityEvents, storeSecurityEvents } from './recorder.ts';
export { refusalRecorder } from './refusals.ts';
