// The timeline of bundles in force. It is append-only and read at a moment.

import type { Clock } from '#core/platform/clock.ts';
import type { Db, Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { acquireLock } from '#core/platform/locks.ts';
import { modelOf } from '#core/platform/model.ts';
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

/** Newest first. Activations of one moment are ordered by id, which grows under the lock. */
const timeline = (db: Db | Trx) =>
  db('rule_activation as a')
    .join('rule_bundle as b', 'b.id', 'a.bundleId')
    .orderBy([
      { column: 'a.activeFrom', order: 'desc' },
      { column: 'a.id', order: 'desc' },
    ]);

const columns = ['a.id as activationId', 'a.bundleId', 'a.activeFrom', 'b.versions'];

/** Returns the activation in force at a moment; undefined before the first one. */
export const activationAt = async (db: Db | Trx, moment: Date): Promise<Activation | undefined> =>
  timeline(db).where('a.activeFrom', '<=', moment).options(keptPlan).first(columns);

interface BundleRow {
  readonly id: string;
  readonly versions: Versions;
  readonly createdAt: string;
}

export const StoredBundle = modelOf<BundleRow>('rule_bundle', { json: ['versions'] });

export interface NewActivation {
  /** All versions that the bundle pins, not only the changed ones. */
  readonly versions: Versions;
  readonly kind: (typeof activationKinds)[number];
  readonly reason: string;
  /** Null when a release brings it. */
  readonly activatedBy: number | null;
  readonly approvedBy: readonly number[];
}

/** The timeline as read under its lock. */
interface ActivationRow extends Omit<NewActivation, 'versions'> {
  readonly id: number;
  readonly bundleId: string;
  readonly activeFrom: string;
  readonly createdAt: string;
}

const RuleActivation = modelOf<ActivationRow>('rule_activation');

export interface LockedTimeline {
  /** Never earlier than the newest activation, even when process clocks differ. */
  readonly moment: Date;
  /** Empty before the first activation. */
  readonly current: Versions;
}

/**
 * Locks the timeline until the transaction ends, so that changes are serialized. The moment is taken after the lock: an
 * earlier one could precede an activation that committed meanwhile.
 */
export async function lockActivations(trx: Trx, clock: Clock): Promise<LockedTimeline> {
  await acquireLock(trx, 'activation');
  const newest: Activation | undefined = await timeline(trx).first(columns);
  const from = newest === undefined ? Number.NEGATIVE_INFINITY : Date.parse(newest.activeFrom);
  return { moment: new Date(Math.max(clock.now().getTime(), from)), current: newest?.versions ?? {} };
}

/** Puts a bundle in force from the moment that `lockActivations` returned. */
export async function appendActivation(
  trx: Trx,
  activation: NewActivation,
  { moment: now }: Pick<LockedTimeline, 'moment'>,
): Promise<Activation> {
  const { versions, kind, reason, activatedBy, approvedBy } = activation;
  const bundleId = newId();
  const createdAt = now.toISOString();
  await StoredBundle.query(trx).insert({ id: bundleId, versions, createdAt });
  const row = { bundleId, activeFrom: createdAt, kind, reason, activatedBy, approvedBy, createdAt };
  const stored = await RuleActivation.query(trx).insert(row).returning('id');
  return { activationId: stored.id, bundleId, activeFrom: createdAt, versions };
}
