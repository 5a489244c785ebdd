// The service as it would have been on an earlier day: its clock stands there, and the rules in force now were in force.

import { behaviourLog } from '#assessment/measurement/index.ts';
import type { Services } from '#core/module/services.ts';

/**
 * `rulesOf`: the moment whose rules count; the installation may be younger than the history it is given. They are asked for
 * once.
 */
export function withFixedClock(services: Services, moment: Date, rulesOf: Date): Services {
  let active: ReturnType<Services['rules']['at']> | undefined;
  const at: Services['rules']['at'] = (db) => {
    active ??= services.rules.at(db, rulesOf);
    return active;
  };
  const rules: Services['rules'] = { ...services.rules, at, ahead: () => {} };
  return { ...services, rules, clock: { now: () => moment }, logBehaviour: behaviourLog(rules) };
}
