// What people decide about tiers, for whoever stands in for them.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { adviceNow } from './recommendation/advice.ts';
import type { PresentedAdvice } from './recommendation/present.ts';
import { rtiSituationsOf } from './situations/situations.ts';

export { commitDecision } from './decisions/commit.ts';
export { evaluateAll } from './evaluation/serve.ts';

/** What is recommended for many students, in a number of statements that does not grow with them. */
export async function adviceOf(
  trx: Trx,
  services: Services,
  of: Parameters<typeof rtiSituationsOf>[2],
): Promise<ReadonlyMap<number, PresentedAdvice>> {
  const found = await rtiSituationsOf(trx, services, of);
  return new Map([...found.situations].map(([id, situation]) => [id, adviceNow(found, situation).shown]));
}
