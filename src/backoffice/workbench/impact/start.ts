// Starts the impact of a draft. A draft that cannot be simulated is refused before a job is created.

import { admitOrder, orderJobs } from '#core/long-jobs/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import { runInWorker, type SimulatedTexts } from '../analysis-worker.ts';
import type { ImpactInput, ImpactScope } from './input.ts';
import { isSimulated } from './simulated-documents.ts';
import { simulationInput } from './simulated-texts.ts';
import { organizationOfScope } from './students.ts';

/** The part of a draft that a simulation needs. */
export interface SimulatedDraft {
  readonly id: string;
  readonly family: string;
  readonly key: string;
  readonly state: string;
  readonly document: string;
  readonly sha256: string;
}

export interface ImpactOrder {
  readonly draft: SimulatedDraft;
  readonly scope: ImpactScope;
  /** Default: now. */
  readonly asOf?: string | undefined;
  readonly requestedBy: number;
}

const openStates = ['draft', 'validated', 'in_review'];

/** The texts that were found usable, with the versions that were in force then. */
export interface UsableDraft extends SimulatedTexts {
  readonly sha256: string;
  readonly before: Versions;
}

/**
 * Returns the check of whether the engine can use the draft, to be run after the transaction has ended; it throws CONFLICT
 * `not_usable` or `constants_disagree`. Throws CONFLICT `nothing_to_simulate` or `not_open` at once.
 */
export async function usableDraft(
  trx: Trx,
  services: Pick<Services, 'capabilities' | 'rules'>,
  draft: SimulatedDraft,
  now: Date,
): Promise<() => Promise<UsableDraft>> {
  requireOpen(services, draft);
  const { rules } = await services.rules.at(trx, now);
  const question = await simulationInput(trx, draft, rules.documents);
  return async () => ({
    ...(await runInWorker('simulate', question)),
    sha256: draft.sha256,
    before: rules.versions,
  });
}

/**
 * Returns the job's id. Throws NOT_FOUND for an unknown scope; CONFLICT `nothing_to_simulate`, `not_open`, and `moved` when the
 * text or the rules in force have changed since the check.
 */
export async function startImpact(
  trx: Trx,
  services: Pick<Services, 'capabilities' | 'rules'>,
  order: ImpactOrder,
  usable: UsableDraft,
  now: Date,
): Promise<string> {
  const { draft, scope, asOf = now.toISOString(), requestedBy } = order;
  const organizationId = await organizationOfScope(trx, scope);
  requireOpen(services, draft);
  const { versions } = (await services.rules.at(trx, now)).rules;
  const { sha256, before, texts, companions } = usable;
  if (sha256 !== draft.sha256 || canonicalJson(before) !== canonicalJson(versions)) {
    throw conflict('moved', 'The draft or the rules in force have changed meanwhile. Try again.');
  }
  const input: ImpactInput = { draftId: draft.id, sha256, scope, asOf, before, texts, companions };
  await admitOrder(trx);
  const [jobId = ''] = await orderJobs(trx, now, [
    { kind: 'impact', organizationId, subject: draft.id, input, requestedBy },
  ]);
  return jobId;
}

function requireOpen(services: Pick<Services, 'capabilities'>, { family, key, state }: SimulatedDraft): void {
  const name = `${family}/${key}`;
  if (!isSimulated(services, name)) {
    throw conflict('nothing_to_simulate', 'These rules change no stored result: there is nothing to simulate.');
  }
  if (!openStates.includes(state)) throw conflict('not_open', 'Only an open draft can be simulated.');
}
