// What the composition root needs of standards.
export { standardsCapability } from './capability.ts';
