// Which rule documents can be simulated: those that students' results are evaluated by, and those of the simulators.

import { changesStatuses } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import { simulatorsOf } from '#rules/rulesets/index.ts';

/** `name`: `family/key`. */
export const isSimulated = ({ capabilities }: Pick<Services, 'capabilities'>, name: string): boolean =>
  changesStatuses(name) || simulatorsOf(capabilities).some((simulator) => simulator.simulates(name));
