// What the composition root needs of roster imports.
export { lmsCapability } from './capability.ts';
