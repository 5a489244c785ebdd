// What a simulation of rules may use of notifications.
export { type RehearsedOutcome, rehearsedOutcomes } from '../engine/rehearse.ts';
export { isKindDocument, type RehearsedKind, rehearsedKind } from './kind.ts';
export { type AskedOf, countTold, type RehearsedRow, rehearsedRequests } from './requests.ts';
