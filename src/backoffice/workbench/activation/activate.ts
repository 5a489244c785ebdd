// Puts versions in force, now or later. An activation is one transaction: the bundle, its row in the timeline and the recompute
// jobs are written together, or the old bundle stays in force.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import {
  appendActivation,
  type DocumentName,
  lockActivations,
  type NewActivation,
  RuleVersion,
  type Versions,
} from '#rules/rulesets/index.ts';
import type { Swap } from '../services.ts';
import { changedPins } from './engine/plans.ts';
import { requireFittingVersions } from './fit.ts';
import { requireOtherPerson } from './other-person.ts';
import { changesResults, orderRecomputes } from './recompute.ts';

export interface ActivationOrder extends Pick<NewActivation, 'kind' | 'reason' | 'changeId' | 'reportHash'> {
  /** The versions that change by document; all others stay as they are. */
  readonly pins: Versions;
  /** Documents that are left without a version in force. */
  readonly without?: readonly string[];
  readonly userId: number;
}

/** The entry of the timeline that was written. */
export type EntryId = { readonly activationId: number } | { readonly scheduleId: number };

export interface Activated {
  readonly activationId: number;
  /** Taken under the lock. Everything that follows from the activation is dated by this instant. */
  readonly activeFrom: Date;
}

/**
 * Throws CONFLICT `no_change` when all versions are in force already, and what `requireOtherPerson` and `requireFittingVersions` throw.
 * An activation that a fast clock dated into the future is overtaken: what it changed is changed back, or as it is requested.
 */
export async function activateNow(
  services: Services,
  trx: Trx,
  { pins, without = [], kind, reason, userId, changeId, reportHash }: ActivationOrder,
): Promise<Activated> {
  const timeline = await lockActivations(trx, services.clock);
  const { current, ahead } = timeline;
  const changed = changedPins(current, pins);
  const overtaken = ahead ? changedPins(ahead.versions, pins) : [];
  const isLeaving = without.some((name) => Object.hasOwn(current, name));
  if (changed.length === 0 && overtaken.length === 0 && !isLeaving) throw noChange();
  await requireOtherPerson(services, trx, { pins, changed, userId }, timeline);
  const versions = withoutPins({ ...current, ...pins }, without);
  await requireFittingVersions(services, trx, versions);
  const approvedBy = await approversOf(trx, pins);
  const shownKind = kind === 'activate' && isRollback(current, pins, changed) ? 'rollback' : kind;
  const change = { changeId: changeId ?? null, reportHash: reportHash ?? null };
  const entry = { versions, kind: shownKind, reason, activatedBy: userId, approvedBy, ...change };
  const { activationId } = await appendActivation(trx, entry, timeline);
  const replaced = ahead?.versions ?? current;
  const moved = changedPins(replaced, versions);
  await runActivationHooks(services, trx, swapsOf(replaced, versions, moved), timeline.moment);
  if (changesResults(services, moved)) {
    await orderRecomputes(trx, { subject: String(activationId), changed: moved, userId }, timeline.moment);
  }
  return { activationId, activeFrom: timeline.moment };
}

const withoutPins = (versions: Versions, names: readonly string[]): Versions =>
  Object.fromEntries(Object.entries(versions).filter(([name]) => !names.includes(name)));

function swapsOf(current: Versions, pins: Versions, changed: readonly string[]): Swap[] {
  const [from, to] = [new Map<string, number>(Object.entries(current)), new Map(Object.entries(pins))];
  return changed.map((name) => ({ name: name as DocumentName, from: from.get(name) ?? null, to: to.get(name) ?? 0 }));
}

/** Runs the `rulesActivated` hook of every capability in the transaction of the activation. */
async function runActivationHooks({ capabilities }: Services, trx: Trx, swaps: readonly Swap[], moment: Date) {
  for (const { rulesActivated } of capabilities) await rulesActivated?.(trx, swaps, moment);
}

/** Leaves the document without a version in force. Does nothing when another version is in force. Audited like every activation. */
export async function takeOutOfForce(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  { name, version, userId }: { readonly name: DocumentName; readonly version: number; readonly userId: number },
): Promise<void> {
  const timeline = await lockActivations(trx, clock);
  const { [name]: active, ...versions } = timeline.current;
  if (active !== version && timeline.ahead?.versions[name] !== version) return;
  const entry = { versions, kind: 'activate', reason: 'policy_change', activatedBy: userId, approvedBy: [] } as const;
  await appendActivation(trx, entry, timeline);
}

/** Whether every version that changes goes back to an earlier one: the timeline records a rollback then, whatever was requested. */
function isRollback(current: Versions, pins: Versions, changed: readonly string[]): boolean {
  const [from, to] = [new Map<string, number>(Object.entries(current)), new Map(Object.entries(pins))];
  return changed.length > 0 && changed.every((name) => (to.get(name) ?? 0) < (from.get(name) ?? 0));
}

export const noChange = () => conflict('no_change', 'These versions are in force already.', 'versions');

/** Returns the people who approved the versions. */
export async function approversOf(trx: Trx, pins: Versions): Promise<number[]> {
  const ids = Object.entries(pins).map(([name, version]) => `${name}@${version}`);
  const rows: { approvedBy: number[] }[] = await RuleVersion.query(trx).whereIn('id', ids).select('approvedBy');
  return [...new Set(rows.flatMap(({ approvedBy }) => approvedBy))].sort((left, right) => left - right);
}
