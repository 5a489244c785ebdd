// Reads replays of all organizations for the backoffice.

import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import { findJob, RuleJob } from '#core/long-jobs/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { type Attestation, attestationsOf } from './attestation.ts';
import type { ReplayJob, ReplayScope, ReplayTrigger } from './input.ts';
import { RuleReplayRow } from './model.ts';
import { noCounts, type ReplayRow } from './position.ts';

/** Throws NOT_FOUND for an unknown id. */
export async function readReplay(trx: Trx, id: string, { limit = defaultLimit, cursor }: PageQuery) {
  const job = (await findJob(trx, 'replay', id)) as ReplayJob | undefined;
  if (!job) throw notFound();
  const query = RuleReplayRow.query(trx)
    .where({ jobId: id, ...(job.organizationId !== null && { organizationId: job.organizationId }) })
    .whereNotNull('organizationId')
    .orderBy('id')
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['number']);
  if (after) query.where('id', '>', Number(after[0]));
  const rows: (ReplayRow & { id: number })[] = await query;
  const { items, nextCursor } = pageOf(rows, limit, (row) => [row.id], presentRow);
  const attestations = await attestationsOf(trx, [id]);
  return { ...presentState(job, attestations), rows: items, nextCursor };
}

const presentRow = ({ stampId, verdict, fields }: ReplayRow) => ({ stampId, verdict, fields: [...fields] });

const presentState = (job: ReplayJob, attestations: ReadonlyMap<string, Attestation>) => ({
  replayId: job.id,
  state: job.state,
  progress: { done: job.done, total: job.total },
  counts: job.report?.counts ?? job.position?.counts ?? noCounts,
  attestation: attestations.get(job.id) ?? null,
});

/** Returns replays newest first. */
export async function listReplays(
  trx: Trx,
  { limit = defaultLimit, cursor, trigger }: PageQuery & { readonly trigger?: ReplayTrigger },
): Promise<Page<ReturnType<typeof presentItem>>> {
  const query = RuleJob.query(trx)
    .where({ kind: 'replay', ...(trigger && { subject: trigger }) })
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1)
    .castTo<ReplayJob[]>();
  const after = keyInCursor(cursor, ['instant', 'string']);
  if (after) query.whereRaw('(created_at, id) < (?::timestamptz, ?)', [String(after[0]), String(after[1])]);
  const rows = await query;
  const nightly = rows.filter(({ subject }) => subject === 'nightly').map(({ id }) => id);
  const attestations = await attestationsOf(trx, nightly);
  return pageOf(
    rows,
    limit,
    (row) => [row.createdAt, row.id],
    (row) => presentItem(row, attestations),
  );
}

const presentItem = (job: ReplayJob, attestations: ReadonlyMap<string, Attestation>) => ({
  ...presentState(job, attestations),
  trigger: job.input.trigger,
  organizationId: job.organizationId,
  scope: scopeOf(job),
  from: job.input.trigger === 'request' ? job.input.from : null,
  to: job.input.trigger === 'request' ? job.input.to : null,
  createdAt: job.createdAt,
});

/** A nightly replay is about one organization. */
const scopeOf = ({ input, organizationId }: ReplayJob): ReplayScope =>
  input.trigger === 'request' ? input.scope : organizationId === null ? { platform: true } : { organizationId };
