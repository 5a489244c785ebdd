// The public API of security events.
export { securityEventsCapability } from './capability.ts';
export type { SecurityEvent, SecurityEventKind } from './kinds.ts';
export { securityEvents, storeSecurityEvents } from './recorder.ts';
export { refusalRecorder } from './refusals.ts';
