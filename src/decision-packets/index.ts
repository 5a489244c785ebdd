// What the composition root may use of decision packets.
export { decisionPacketsCapability } from './capability.ts';
