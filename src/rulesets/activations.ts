// The timeline of bundles in force: read at a moment, appended to, never rewritten.
import type { Db, Trx } from '../platform/db.ts';
import { newId } from '../platform/ids.ts';
import { holdLock } from '../platform/locks.ts';
import type { DocumentName } from './engine/document.ts';

export type Versions = Readonly<Record<DocumentName, number>>;

export interface Activation {
  readonly activationId: number;
  readonly bundleId: string;
  /** ISO 8601. */
  readonly activeFrom: string;
  readonly versions: Versions;
}

/** What is in force at a moment; undefined before the first activation. */
export function activationAt(db: Db | Trx, moment: Date): Promise<Activation | undefined> {
  return db('rule_activation as a')
    .join('rule_bundle as b', 'b.id', 'a.bundleId')
    .where('a.activeFrom', '<=', moment)
    .orderBy([
      { column: 'a.activeFrom', order: 'desc' },
      { column: 'a.id', order: 'desc' },
    ])
    .first('a.id as activationId', 'a.bundleId', 'a.activeFrom', 'b.versions');
}

export interface NewActivation {
  /** All pins of the bundle, not only those that change. */
  readonly versions: Versions;
  readonly kind: 'install' | 'activate' | 'scheduled' | 'rollback';
  readonly reason: string;
  /** Null when a release brings it. */
  readonly activatedBy: number | null;
  readonly approvedBy: readonly number[];
}

/** Held until the transaction ends: whoever changes what is in force does so alone. */
export async function holdActivations(trx: Trx): Promise<void> {
  await holdLock(trx, 'activation');
}

/** Puts a bundle in force from now on. The caller holds the activations. */
export async function appendActivation(trx: Trx, activation: NewActivation, now: Date): Promise<Activation> {
  const { versions, kind, reason, activatedBy, approvedBy } = activation;
  const bundleId = newId();
  await trx('rule_bundle').insert({ id: bundleId, versions: JSON.stringify(versions), createdAt: now });
  const row = { bundleId, activeFrom: now, kind, reason, activatedBy, approvedBy: [...approvedBy], createdAt: now };
  const [stored] = await trx('rule_activation').insert(row).returning('id');
  return { activationId: stored.id, bundleId, activeFrom: now.toISOString(), versions };
}
