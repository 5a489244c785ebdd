// What a simulation of rules may use of interventions.
export { isSupportDocument, supportTables } from './documents.ts';
export {
  type DecidedRun,
  noBundle,
  type SupportAnswer,
  type SupportParts,
  smallestGroup,
  supportAnswer,
  supportParts,
  supportRulesOf,
} from './support.ts';
