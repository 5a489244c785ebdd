// Services with their clock fixed at an earlier moment, and the rules of a given moment in force.

import { behaviourLog } from '#assessment/measurement/index.ts';
import type { Services } from '#core/module/services.ts';

/**
 * `rulesOf` is the moment whose rules apply, because the installation may be newer than the history. They are read
 * once.
 */
export function withFixedClock(services: Services, moment: Date, rulesOf: Date): Services {
  let active: ReturnType<Services['rules']['at']> | undefined;
  const at: Services['rules']['at'] = (db) => {
    active ??= services.rules.at(db, rulesOf);
    return active;
  };
  const rules: Services['rules'] = { ...services.rules, at, prefetch: () => {} };
  return { ...services, rules, clock: { now: () => moment }, logBehaviour: behaviourLog(rules) };
}
