// What the composition root needs of platform alerts.
export { alertsCapability } from './capability.ts';
