// Recommendations, decisions and the reasons for them.
import type { Entries } from '../entry.ts';

export const rtiDecisionEntries: Entries = {
  listReasonCodes: { request: () => ({ query: { scope: 'rti_decision' } }) },
};
