// Putting versions in force, now or later. An activation is one transaction: the bundle, its row in the timeline and the
// orders to recompute are there together, or the old bundle is whole.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import {
  appendActivation,
  type DocumentName,
  lockActivations,
  type NewActivation,
  type Versions,
} from '#rules/rulesets/index.ts';
import type { Swap } from '../services.ts';
import { requireFit } from './fit.ts';
import { requireOtherPerson } from './other-person.ts';
import { changesResults, orderRecomputes } from './recompute.ts';

export interface ActivationOrder extends Pick<NewActivation, 'kind' | 'reason'> {
  /** The pins that change; all others stay as they are. */
  readonly pins: Versions;
  readonly userId: number;
}

/** Which entry of the timeline came of it. */
export type EntryId = { readonly activationId: number } | { readonly scheduleId: number };

export interface Activated {
  readonly activationId: number;
  /** Taken under the lock: what is told of the activation is told as of this moment. */
  readonly activeFrom: Date;
}

/**
 * Throws CONFLICT `no_change` when all pins are in force already, and what `requireOtherPerson` and `requireFit` throw.
 */
export async function activateNow(
  services: Services,
  trx: Trx,
  { pins, kind, reason, userId }: ActivationOrder,
): Promise<Activated> {
  const timeline = await lockActivations(trx, services.clock);
  const { current } = timeline;
  const changed = changedPins(current, pins);
  if (changed.length === 0) throw noChange();
  await requireOtherPerson(services, trx, { pins, changed, userId }, timeline);
  const versions = { ...current, ...pins };
  await requireFit(services, trx, versions);
  const approvedBy = await approversOf(trx, pins);
  const shownKind = kind === 'activate' && isStepBack(current, pins, changed) ? 'rollback' : kind;
  const entry = { versions, kind: shownKind, reason, activatedBy: userId, approvedBy };
  const { activationId } = await appendActivation(trx, entry, timeline);
  await tellActivated(services, trx, swapsOf(current, pins, changed), timeline.moment);
  if (changesResults(services, changed)) {
    await orderRecomputes(trx, { subject: String(activationId), changed, userId }, timeline.moment);
  }
  return { activationId, activeFrom: timeline.moment };
}

function swapsOf(current: Versions, pins: Versions, changed: readonly string[]): Swap[] {
  const [from, to] = [new Map<string, number>(Object.entries(current)), new Map(Object.entries(pins))];
  return changed.map((name) => ({ name: name as DocumentName, from: from.get(name) ?? null, to: to.get(name) ?? 0 }));
}

/** Whoever has a word to say of it writes it with it, by whichever way the versions come into force. */
async function tellActivated({ capabilities }: Services, trx: Trx, swaps: readonly Swap[], moment: Date) {
  for (const { rulesActivated } of capabilities) await rulesActivated?.(trx, swaps, moment);
}

/** Leaves the document without any version in force; nothing where that version is not the one. Audited like all others. */
export async function takeOutOfForce(
  { clock }: Pick<Services, 'clock'>,
  trx: Trx,
  { name, version, userId }: { readonly name: DocumentName; readonly version: number; readonly userId: number },
): Promise<void> {
  const timeline = await lockActivations(trx, clock);
  const { [name]: active, ...versions } = timeline.current;
  if (active !== version) return;
  const entry = { versions, kind: 'activate', reason: 'policy_change', activatedBy: userId, approvedBy: [] } as const;
  await appendActivation(trx, entry, timeline);
}

export const changedPins = (current: Versions, pins: Versions): string[] =>
  Object.entries(pins)
    .filter(([name, version]) => new Map<string, number>(Object.entries(current)).get(name) !== version)
    .map(([name]) => name);

/** Every version that changes goes to an earlier one: the timeline calls that what it is, whoever asked in which words. */
function isStepBack(current: Versions, pins: Versions, changed: readonly string[]): boolean {
  const [from, to] = [new Map<string, number>(Object.entries(current)), new Map(Object.entries(pins))];
  return changed.every((name) => (to.get(name) ?? 0) < (from.get(name) ?? 0));
}

export const noChange = () => conflict('no_change', 'These versions are in force already.', 'versions');

/** Everybody whose approval made the versions what they are. */
export async function approversOf(trx: Trx, pins: Versions): Promise<number[]> {
  const ids = Object.entries(pins).map(([name, version]) => `${name}@${version}`);
  const rows: { approvedBy: number[] }[] = await trx('rule_version').whereIn('id', ids).select('approvedBy');
  return [...new Set(rows.flatMap(({ approvedBy }) => approvedBy))].sort((left, right) => left - right);
}
