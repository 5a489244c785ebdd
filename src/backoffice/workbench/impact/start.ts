// Starts the impact of a change. Texts that cannot be simulated are refused before a job is created.

import { admitOrder, orderJobs } from '#core/long-jobs/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import { runInWorker } from '../analysis-worker.ts';
import { isInForce } from '../changes/in-force.ts';
import { type ChangeDocument, type ChangeRow, documentsOf, findChange, nameOfDocument } from '../changes/store.ts';
import type { ImpactInput, ImpactScope } from './input.ts';
import { isSimulated } from './simulated-documents.ts';
import { organizationOfScope } from './students.ts';

type SimulationServices = Pick<Services, 'capabilities' | 'rules'>;

export interface ImpactOrder {
  readonly change: Pick<ChangeRow, 'id'>;
  readonly scope: ImpactScope;
  /** Default: now. */
  readonly asOf?: string | undefined;
  readonly requestedBy: number;
}

/** A change that the engine can use, with the versions that were in force then. */
export interface UsableChange {
  readonly sha256: string;
  readonly before: Versions;
  readonly documents: readonly ChangeDocument[];
}

/**
 * Returns the check of whether the engine can use the texts, to be run after the transaction has ended; it throws CONFLICT
 * `not_usable`. Throws CONFLICT `state`, `nothing_to_simulate` or `empty_change` at once.
 */
export async function usableChange(
  trx: Trx,
  services: SimulationServices,
  change: ChangeRow,
  now: Date,
): Promise<() => Promise<UsableChange>> {
  const { rules } = await services.rules.at(trx, now);
  const documents = await documentsOf(trx, [change.id]);
  requireSimulated(services, change, documents, rules.versions);
  const texts = documents.map((one) => ({ name: nameOfDocument(one), text: one.document }));
  const question = { texts, documents: rules.documents };
  return async () => {
    await runInWorker('simulate', question);
    return { sha256: change.sha256, before: rules.versions, documents };
  };
}

/**
 * Returns the job's id. Throws NOT_FOUND for an unknown scope, CONFLICT `state`, `change_moved`, and `rules_moved` when the rules in
 * force have changed since the check.
 */
export async function startImpact(
  trx: Trx,
  services: SimulationServices,
  { change, scope, asOf, requestedBy }: ImpactOrder,
  usable: UsableChange,
  now: Date,
): Promise<string> {
  const organizationId = await organizationOfScope(trx, scope);
  const { sha256, before, documents } = usable;
  const row = await findChange(trx, change.id);
  if (row?.sha256 !== sha256) throw conflict('change_moved', 'The change was written meanwhile. Try again.');
  const { versions } = (await services.rules.at(trx, now)).rules;
  requireSimulated(services, row, documents, versions);
  if (canonicalJson(before) !== canonicalJson(versions)) {
    throw conflict('rules_moved', 'Other rules have come into force meanwhile. Try again.');
  }
  const input: ImpactInput = {
    changeId: change.id,
    changeSha256: sha256,
    documents: documents.map(({ family, key, sha256: own }) => ({ family, key, sha256: own })),
    scope,
    asOf: asOf ?? now.toISOString(),
    before,
    texts: documents.map(({ document }) => document),
  };
  await admitOrder(trx);
  const [jobId = ''] = await orderJobs(trx, now, [
    { kind: 'impact', organizationId, subject: change.id, input, requestedBy },
  ]);
  return jobId;
}

function requireSimulated(
  services: Pick<Services, 'capabilities'>,
  { state }: ChangeRow,
  documents: readonly ChangeDocument[],
  versions: Versions,
): void {
  const isOpen = ['draft', 'validated', 'in_review'].includes(state);
  if (!isOpen && (state !== 'published' || isInForce(documents, versions))) {
    throw conflict('state', 'Only a change that is open, or published and not in force, can be simulated.', 'state');
  }
  if (documents.length === 0) throw conflict('empty_change', 'The change has no document yet.', 'documents');
  if (documents.some((one) => isSimulated(services, nameOfDocument(one)))) return;
  throw conflict('nothing_to_simulate', 'These rules change no stored result: there is nothing to simulate.');
}
