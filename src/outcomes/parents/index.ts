// Public API of the parents capability.

export { parentsCapability } from './capability.ts';
