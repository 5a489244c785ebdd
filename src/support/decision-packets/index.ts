// The public part of decision packets.
export { decisionPacketsCapability } from './capability.ts';
export { assemble as assemblePacket } from './packets/assemble.ts';
export { DecisionPacket } from './rows/store.ts';
