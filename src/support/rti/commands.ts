// Commands on tiers for the demo, with the checks of their routes.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { adviceNow } from './recommendation/advice.ts';
import type { PresentedAdvice } from './recommendation/present.ts';
import { rtiSituationsOf } from './situations/situations.ts';

export { commitDecision } from './decisions/commit.ts';
export { evaluateAll } from './evaluation/serve.ts';

/** Recommendations for many students. The number of statements does not depend on the number of students. */
export async function adviceOf(
  trx: Trx,
  services: Services,
  of: Parameters<typeof rtiSituationsOf>[2],
): Promise<ReadonlyMap<number, PresentedAdvice>> {
  const found = await rtiSituationsOf(trx, services, of);
  return new Map([...found.situations].map(([id, situation]) => [id, adviceNow(found, situation).shown]));
}
