// What the composition root needs of the start page.
export { homeCapability } from './capability.ts';
