// A job is held for a while by a token that grows with each holder. Whoever writes shows the token: one who was thought
// dead, and has lost the job to another, writes nothing any more. Nobody holds a transaction while a step is worked out.
import { type Db, onPlatform, type Trx } from '../platform/db.ts';
import { canonicalHash } from '../platform/pure/canonical-json.ts';
import type { JobKind } from './enums.ts';
import type { JobRow } from './store.ts';

type JobKey = Pick<JobRow, 'id' | 'organizationId'>;

/** Of the database's clock, which all holders share: this is about dead processes, not about business time. */
const leaseSeconds = 20;
const lease = `clock_timestamp() + interval '${leaseSeconds} seconds'`;

/** What a step keeps may be an alert of the platform beside the rows of its organization. */
const within = <T>(db: Db, { organizationId }: JobKey, work: (trx: Trx) => Promise<T>): Promise<T> =>
  onPlatform(db, organizationId === null ? 'SUPER' : { organizationId }, work);

/** The job, held from now on and counted as begun; undefined where another holds it, or where it has ended. */
export const claimJob = (
  db: Db,
  key: JobKey,
  kinds: readonly JobKind[],
  clock: () => Date,
): Promise<JobRow | undefined> =>
  within(db, key, async (trx) => {
    const [row]: JobRow[] = await trx('rule_job')
      .where({ id: key.id })
      .whereIn('kind', [...kinds])
      .whereIn('state', ['queued', 'running'])
      .whereRaw('(held_until is null or held_until < clock_timestamp())')
      .update({
        state: 'running',
        token: trx.raw('token + 1'),
        attempts: trx.raw('attempts + 1'),
        heldUntil: trx.raw(lease),
        updatedAt: clock(),
      })
      .returning('*');
    return row;
  });

export type JobHolder = ReturnType<typeof holderOf>;

/** The writes of a holder, each in a short transaction. False: the job was cancelled, or another holds it by now. */
export function holderOf(db: Db, job: Pick<JobRow, 'id' | 'organizationId' | 'token'>, clock: () => Date) {
  const { id, token } = job;
  const held = (trx: Trx) => trx('rule_job').where({ id, token, state: 'running' });
  const write = (valuesIn: (trx: Trx) => object, keep?: (trx: Trx) => Promise<void>): Promise<boolean> =>
    within(db, job, async (trx) => {
      const isMine = (await held(trx).update({ updatedAt: clock(), ...valuesIn(trx) })) === 1;
      if (isMine) await keep?.(trx);
      return isMine;
    });
  return {
    size: (total: number) => write(() => ({ total })),
    /** `keep` writes what the step found, in the same transaction as the position: a step counts once. */
    advance: (done: number, position: unknown, keep?: (trx: Trx) => Promise<void>) =>
      write((trx) => ({ done, position: JSON.stringify(position), attempts: 0, heldUntil: trx.raw(lease) }), keep),
    finish: (report: unknown, keep?: (trx: Trx) => Promise<void>) =>
      write(
        () => ({
          ...{ state: 'done', report: JSON.stringify(report), reportHash: canonicalHash(report) },
          ...{ position: null, heldUntil: null },
        }),
        keep,
      ),
    fail: (issue: string) => write(() => ({ state: 'failed', issue, heldUntil: null })),
    release: () => write(() => ({ heldUntil: null })),
    /** Whoever has let the time run out does not get it back. */
    renew: () =>
      within(db, job, (trx) =>
        held(trx)
          .whereRaw('held_until > clock_timestamp()')
          .update({ heldUntil: trx.raw(lease) }),
      ),
  };
}
