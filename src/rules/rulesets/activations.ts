// The timeline of bundles in force. It is append-only and read at a moment.
import { type AlertKind, openAlert } from '#core/module/alerts.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Db, Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { acquireLock } from '#core/platform/locks.ts';
import { modelOf } from '#core/platform/model.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
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

/** Newest first, by number: numbers grow under the lock, also when the clock was set back. */
const timeline = (db: Db | Trx) =>
  db('rule_activation as a').join('rule_bundle as b', 'b.id', 'a.bundleId').orderBy('a.id', 'desc');

const columns = ['a.id as activationId', 'a.bundleId', 'a.activeFrom', 'b.versions'];

/**
 * Returns the activation in force at a moment: the newest one by number whose time had come. One that a fast clock dated into the
 * future is overtaken by the next. Undefined before the first one.
 */
export const activationAt = async (db: Db | Trx, moment: Date): Promise<Activation | undefined> =>
  timeline(db).where('a.activeFrom', '<=', moment).options(keptPlan).first(columns);

interface BundleRow {
  readonly id: string;
  readonly versions: Versions;
  readonly createdAt: string;
}

export const StoredBundle = modelOf<BundleRow>('rule_bundle', { json: ['versions'] });
/**
 * The SQL condition that an activation `a` was overtaken before its time came, because a later one has an earlier moment: it never
 * was in force.
 */
export const isOvertaken =
  'exists (select from rule_activation later where later.id > a.id and later.active_from < a.active_from)';

export interface NewActivation {
  /** All versions that the bundle pins, not only the changed ones. */
  readonly versions: Versions;
  readonly kind: (typeof activationKinds)[number];
  readonly reason: string;
  /** Null when a release brings it. */
  readonly activatedBy: number | null;
  readonly approvedBy: readonly number[];
  /** The change that it puts in force, or takes back; null for single versions. */
  readonly changeId?: string | null;
  /** The impact report that was quoted because other rules had come into force since the approval. */
  readonly reportHash?: string | null;
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
  /** The moment from which an activation appended now is in force. */
  readonly moment: Date;
  /** What is in force at the moment. Empty before the first activation. */
  readonly current: Versions;
  /** What a clock that was fast dated after the moment, and an activation appended now overtakes; null when there is none. */
  readonly ahead: Activation | null;
}

/** Clocks of processes that differ by less are taken as equal: an activation then begins with the newest one, not before it. */
const clockToleranceMs = 1_000;

/**
 * Locks the timeline until the transaction ends, so that changes are serialized. The moment is taken after the lock: an
 * earlier one could precede an activation that committed meanwhile.
 */
export async function lockActivations(trx: Trx, clock: Clock): Promise<LockedTimeline> {
  await acquireLock(trx, 'activation');
  const newest: Activation | undefined = await timeline(trx).first(columns);
  const now = clock.now().getTime();
  const from = newest === undefined ? Number.NEGATIVE_INFINITY : Date.parse(newest.activeFrom);
  if (newest === undefined || from <= now + clockToleranceMs) {
    return { moment: new Date(Math.max(now, from)), current: newest?.versions ?? {}, ahead: null };
  }
  const moment = new Date(now);
  return { moment, current: (await activationAt(trx, moment))?.versions ?? {}, ahead: newest };
}

export const clockCorrected = {
  kind: 'qa',
  code: 'RULE_CLOCK_CORRECTED',
  severity: 'critical',
  subject: 'rule_activation',
  summary: 'A clock that was fast had dated an activation into the future, and the next activation has overtaken it.',
} as const satisfies AlertKind;

/** Puts a bundle in force from the moment that `lockActivations` returned. Opens an alert when it overtakes another. */
export async function appendActivation(
  trx: Trx,
  activation: NewActivation,
  { moment: now, ahead }: Pick<LockedTimeline, 'moment' | 'ahead'>,
): Promise<Activation> {
  const { versions, kind, reason, activatedBy, approvedBy, changeId = null, reportHash = null } = activation;
  const bundleId = newId();
  const createdAt = now.toISOString();
  await StoredBundle.query(trx).insert({ id: bundleId, versions, createdAt });
  const people = { activatedBy, approvedBy };
  const row = { bundleId, activeFrom: createdAt, kind, reason, ...people, changeId, reportHash, createdAt };
  const stored = await RuleActivation.query(trx).insert(row).returning('id');
  if (ahead) await reportOvertaken(trx, stored.id, ahead, now);
  return { activationId: stored.id, bundleId, activeFrom: createdAt, versions };
}

const reportOvertaken = (
  trx: Trx,
  activationId: number,
  { activationId: overtaken, activeFrom }: Activation,
  at: Date,
) =>
  openAlert(trx, clockCorrected, {
    organizationId: platformOrganizationId,
    subjectId: activationId,
    details: { activationId, overtaken, datedFrom: activeFrom },
    at,
  });
