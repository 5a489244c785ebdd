// What a simulation of rules may use of tiers and alerts.
export { isTierDocument, storedStates, tierTables } from './documents.ts';
export { type TierAnswer, type TierParts, tierAnswer, tierParts, tierRulesOf } from './tiers.ts';
