// The tests request more impact simulations and replays than may be open, so those of earlier calls are closed.
import { inContext } from '#core/platform/db.ts';
import type { TestApp } from '../../harness/http.ts';

export const purgeAskers = ({ database }: TestApp): Promise<unknown> =>
  inContext(database.owner, 'SUPER', (trx) =>
    trx('rule_job').whereNotNull('requestedBy').whereIn('state', ['queued', 'running']).update({ requestedBy: null }),
  );
