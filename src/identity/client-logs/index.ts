// The public API of client logs.
export { clientLogsCapability } from './capability.ts';
