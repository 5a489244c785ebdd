// What a simulation of rules may use of notifications.
export { type SimulatedOutcome, simulatedOutcomes } from '../engine/simulate.ts';
export { isKindDocument, type SimulatedKind, simulatedKind } from './kind.ts';
export { type AskedOf, countTold, type SimulatedRow, simulatedRequests } from './requests.ts';
