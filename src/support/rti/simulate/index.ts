// What a simulation of rules may use of tiers and alerts.
export { isStateDocument, isTierDocument, orderedStates, stateTable, tierTables } from './documents.ts';
export { type StateParts, stateParts, statesFrom } from './states.ts';
export { type TierAnswer, type TierParts, tierAnswer, tierParts, tierRulesOf } from './tiers.ts';
