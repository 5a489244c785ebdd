// What the composition root needs of roster imports.
import './services.ts';

export { lmsCapability } from './capability.ts';
export { createReach, type ReachOptions } from './reaching/reach.ts';
