// What others may use of decision packets.
export { decisionPacketsCapability } from './capability.ts';
export { assemble as assemblePacket } from './packets/assemble.ts';
