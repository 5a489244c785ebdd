// Public API of the start page.
export { homeCapability } from './capability.ts';
