// What the composition root needs of the administration of checks.
export { qaChecksCapability } from './capability.ts';
