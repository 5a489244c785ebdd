// The approvals of versions at the moment when a plan brings them: those of accounts that have been closed since do not count.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { approversAmong } from '#identity/people/index.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import { defaultQuorum } from '../changes/store.ts';

interface ApprovedVersion {
  readonly approvedBy: readonly number[];
  /** Null for a version that no change published. */
  readonly quorum: number | null;
}

/** Whether a version that needed approvals has fewer of accounts that may still approve than its quorum. */
export async function lacksApproval(
  { config }: Pick<Services, 'config'>,
  trx: Trx,
  versions: Versions,
): Promise<boolean> {
  const approved: ApprovedVersion[] = await trx('rule_version as v')
    .leftJoin('rule_change_document as d', (join) =>
      join
        .on('d.family', 'v.family')
        .andOn('d.key', 'v.key')
        .andOn('d.version', 'v.version')
        .andOn('d.sha256', 'v.sha256'),
    )
    .leftJoin('rule_change as c', (join) => join.on('c.id', 'd.changeId').andOnVal('c.state', 'published'))
    .whereIn(
      'v.id',
      Object.entries(versions).map(([name, version]) => `${name}@${version}`),
    )
    .whereRaw('cardinality(v.approved_by) > 0')
    .select('v.approvedBy', 'c.quorum');
  const able = await approversAmong(
    config,
    trx,
    approved.flatMap(({ approvedBy }) => approvedBy),
  );
  return approved.some(
    ({ approvedBy, quorum }) => approvedBy.filter((id) => able.has(id)).length < (quorum ?? defaultQuorum),
  );
}
