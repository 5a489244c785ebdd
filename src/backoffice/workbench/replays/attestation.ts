// The result of a night's replays: an attestation of what was replayed with which result, and an alert where a result differs.

import type { JobRow } from '#core/long-jobs/index.ts';
import { type AlertKind, openAlert } from '#core/module/alerts.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Trx } from '#core/platform/db.ts';
import { acquireLock } from '#core/platform/locks.ts';
import { modelOf } from '#core/platform/model.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { platformOrganizationId, storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { type ChainLink, linkHash, verifyChain } from './chain.ts';
import type { ReplayReport } from './position.ts';

const RuleAttestation = modelOf<ChainLink & { readonly at: string; readonly jobId: string | null }>('rule_attestation');

type Job = Pick<JobRow, 'id' | 'organizationId'>;

export async function saveAttestation(trx: Trx, job: Job, report: ReplayReport, clock: Clock): Promise<void> {
  const { id: jobId, organizationId } = job;
  const payloadAt = (now: Date) => ({ jobId, organizationId, at: now.toISOString(), ...report });
  await appendAttestation(trx, clock, payloadAt);
  const { inputsDiffer, rulesDiffer } = report.counts;
  if (inputsDiffer + rulesDiffer > 0) await raiseMismatch(trx, job, report, clock.now());
}

/** Appends the next link of the chain, which is later than the one before. Returns what is attested. */
export async function appendAttestation<Payload extends object>(
  trx: Trx,
  clock: Clock,
  payloadAt: (now: Date) => Payload,
): Promise<Payload> {
  // Taken before the newest hash and the clock are read, because nights of several organizations end at the same time.
  await acquireLock(trx, 'attestation');
  const newest: ChainLink | undefined = await RuleAttestation.query(trx).orderBy('id', 'desc').first();
  const [now, previousHash] = [clock.now(), newest?.hash ?? ''];
  const attested = payloadAt(now);
  const payload = canonicalJson(attested);
  await RuleAttestation.query(trx).insert({
    payload,
    previousHash,
    hash: linkHash(previousHash, payload),
    at: now.toISOString(),
  });
  return attested;
}

export const replayMismatch = {
  kind: 'qa',
  code: 'REPLAY_MISMATCH',
  severity: 'critical',
  subject: 'replay',
  summary: 'Stored results, executed again, gave something else.',
} as const satisfies AlertKind;

export const attestationBroken: AlertKind = {
  kind: 'qa',
  code: 'ATTESTATION_BROKEN',
  severity: 'critical',
  subject: 'attestation',
  summary: 'A link of the chain of attestations does not hold.',
};

async function raiseMismatch(trx: Trx, { id: jobId, organizationId }: Job, report: ReplayReport, now: Date) {
  const details = { replayId: jobId, counts: report.counts };
  await openAlert(trx, replayMismatch, {
    ...{ organizationId: storedOrganization(organizationId), subjectId: jobId, details, at: now },
  });
}

export interface Attestation {
  readonly hash: string;
  readonly previousHash: string;
  readonly at: string;
}

/** Returns which of these jobs are attested. */
export async function attestationsOf(trx: Trx, jobIds: readonly string[]): Promise<ReadonlyMap<string, Attestation>> {
  const rows = await RuleAttestation.query(trx)
    .whereIn('jobId', [...jobIds])
    .select('jobId', 'hash', 'previousHash', 'at')
    .castTo<(Attestation & { jobId: string })[]>();
  return new Map(rows.map(({ jobId, ...attestation }) => [jobId, attestation]));
}

const linksAtOnce = 1_000;

/** Verifies the whole chain, and opens a critical alert for the first broken link. The context is SUPER. */
export async function proveChain(trx: Trx, now: Date): Promise<void> {
  const brokenAt = await firstBroken(trx);
  if (brokenAt !== undefined) await raiseBroken(trx, brokenAt, now);
}

/** Returns the first broken link of the whole chain; undefined when there is none. */
export async function firstBroken(trx: Trx): Promise<number | null | undefined> {
  let [after, hash] = [0, ''];
  for (let isLast = false; !isLast; ) {
    const links: ChainLink[] = await RuleAttestation.query(trx)
      .where('id', '>', after)
      .orderBy('id')
      .limit(linksAtOnce);
    const proof = verifyChain(links, hash);
    if (!proof.holds) return proof.brokenAt;
    hash = proof.newestHash;
    after = links.at(-1)?.id ?? after;
    isLast = links.length < linksAtOnce;
  }
  return undefined;
}

async function raiseBroken(trx: Trx, brokenAt: number | null, now: Date): Promise<void> {
  await openAlert(trx, attestationBroken, {
    organizationId: platformOrganizationId,
    subjectId: brokenAt ?? 'none',
    details: { attestationId: brokenAt },
    at: now,
  });
}
