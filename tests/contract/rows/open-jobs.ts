// Walks ask for more impacts and replays than may stand open: those of earlier calls count for nobody.
import { inContext } from '#core/platform/db.ts';
import type { TestApp } from '../../harness/http.ts';

export const purgeAskers = ({ database }: TestApp): Promise<unknown> =>
  inContext(database.owner, 'SUPER', (trx) =>
    trx('rule_job').whereNotNull('requestedBy').whereIn('state', ['queued', 'running']).update({ requestedBy: null }),
  );
