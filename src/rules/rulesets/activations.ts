// The timeline of bundles in force: read at a moment, appended to, never rewritten.
import type { Clock } from '#core/platform/clock.ts';
import type { Db, Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { acquireLock } from '#core/platform/locks.ts';
import { keptPlan } from '#core/platform/statements/kept-plans.ts';
import type { DocumentName } from './engine/document/document.ts';
import type { activationKinds } from './enums.ts';

export type Versions = Readonly<Record<DocumentName, number>>;

export interface Activation {
  readonly activationId: number;
  readonly bundleId: string;
  /** ISO 8601. */
  readonly activeFrom: string;
  readonly versions: Versions;
}

/** Newest first. Two of one moment are told apart by their ids, which grow under the lock. */
const timeline = (db: Db | Trx) =>
  db('rule_activation as a')
    .join('rule_bundle as b', 'b.id', 'a.bundleId')
    .orderBy([
      { column: 'a.activeFrom', order: 'desc' },
      { column: 'a.id', order: 'desc' },
    ]);

const columns = ['a.id as activationId', 'a.bundleId', 'a.activeFrom', 'b.versions'];

/** What is in force at a moment; undefined before the first activation. */
export const activationAt = async (db: Db | Trx, moment: Date): Promise<Activation | undefined> =>
  timeline(db).where('a.activeFrom', '<=', moment).options(keptPlan).first(columns);

export interface NewActivation {
  /** All pins of the bundle, not only those that change. */
  readonly versions: Versions;
  readonly kind: (typeof activationKinds)[number];
  readonly reason: string;
  /** Null when a release brings it. */
  readonly activatedBy: number | null;
  readonly approvedBy: readonly number[];
}

/** What is known to whoever holds the timeline. */
export interface LockedTimeline {
  /** Never before the newest activation, whatever the clocks of several processes say: who comes later stands later. */
  readonly moment: Date;
  /** Empty before the first activation. */
  readonly current: Versions;
}

/**
 * Held until the transaction ends: whoever changes what is in force does so alone. The moment is taken here, after the
 * wait: an earlier one may lie before an activation that was waited for.
 */
export async function lockActivations(trx: Trx, clock: Clock): Promise<LockedTimeline> {
  await acquireLock(trx, 'activation');
  const newest: Activation | undefined = await timeline(trx).first(columns);
  const from = newest === undefined ? Number.NEGATIVE_INFINITY : Date.parse(newest.activeFrom);
  return { moment: new Date(Math.max(clock.now().getTime(), from)), current: newest?.versions ?? {} };
}

/** Puts a bundle in force from the moment that `lockActivations` told. */
export async function appendActivation(
  trx: Trx,
  activation: NewActivation,
  { moment: now }: Pick<LockedTimeline, 'moment'>,
): Promise<Activation> {
  const { versions, kind, reason, activatedBy, approvedBy } = activation;
  const bundleId = newId();
  await trx('rule_bundle').insert({ id: bundleId, versions: JSON.stringify(versions), createdAt: now });
  const row = { bundleId, activeFrom: now, kind, reason, activatedBy, approvedBy: [...approvedBy], createdAt: now };
  const [stored] = await trx('rule_activation').insert(row).returning('id');
  return { activationId: stored.id, bundleId, activeFrom: now.toISOString(), versions };
}
