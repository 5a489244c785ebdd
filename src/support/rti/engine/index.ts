// The public part of the engine for other engines: pure functions and their types.

export { schoolDaysBetween } from './due/due-days.ts';
export { type DueState, followedState, undueState } from './due/follow.ts';
export { factCategories as tierFactSorts } from './fact-categories.ts';
export {
  type ApprovalStudent,
  type ApprovedPacket,
  approvalFault,
  askedGates,
  checkApproval,
  type GatesFor,
  gatesOf,
  reasonFault,
  type ShownGate,
} from './packets/approval-check.ts';
export { openable } from './packets/openable.ts';
export { compilePackets } from './packets/rules.ts';
export { tierAfter } from './tiers/recommend.ts';
export {
  type PacketStatus,
  packetStatuses,
  type ReviewType,
  reviewTypes,
  type TierDecision,
  tierDecisions,
} from './vocabulary.ts';
