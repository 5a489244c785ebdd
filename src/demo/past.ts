// The service as it would have been on an earlier day: its clock stands there, and the rules in force now were in force.
import type { Services } from '../kernel/services.ts';
import { behaviourLog } from '../measurement/index.ts';

/** `rulesOf`: the moment whose rules count; the installation may be younger than the history it is given. */
export function servicesInThePast(services: Services, moment: Date, rulesOf: Date): Services {
  const rules = { ...services.rules, at: ((db) => services.rules.at(db, rulesOf)) as Services['rules']['at'] };
  return { ...services, rules, clock: { now: () => moment }, logBehaviour: behaviourLog(rules) };
}
