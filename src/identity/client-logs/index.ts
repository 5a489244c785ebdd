// What the composition root needs of client logs.
export { clientLogsCapability } from './capability.ts';
