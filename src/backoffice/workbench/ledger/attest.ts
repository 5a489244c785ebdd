// Every night the head of each chain is signed, appended to the chain of attestations and written to the log. To rewrite a chain
// afterwards one would need the key that signs, which the database does not hold.
import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto';
import type { CapabilityJobs } from '#core/module/jobs.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { appendAttestation } from '../replays/attestation.ts';
import { LedgerSegment, type Segment } from './ledgers.ts';
import { sealLedgers } from './seal.ts';

export interface Attester {
  /** Ed25519 signature of the canonical text, base64. */
  sign(value: unknown): string;
  isSigned(value: unknown, signature: string): boolean;
}

/** DER of a PKCS #8 Ed25519 private key up to its 32-byte seed (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

function keyFrom(seed: Buffer): KeyObject {
  const own = Buffer.from(hkdfSync('sha256', seed, '', 'ledger attestation', 32));
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, own]), format: 'der', type: 'pkcs8' });
}

/** Uses the seeds that sign tokens: the first one signs and all verify, so that attestations stay valid after a rotation. */
export function createAttester(seeds: readonly Buffer[]): Attester {
  const keys = seeds.map(keyFrom);
  const publicKeys = keys.map((key) => createPublicKey(key));
  const [current] = keys;
  if (!current) throw new RangeError('at least one key is needed');
  const bytes = (value: unknown) => Buffer.from(canonicalJson(value));
  return {
    sign: (value) => sign(null, bytes(value), current).toString('base64'),
    isSigned: (value, signature) =>
      publicKeys.some((key) => verify(null, bytes(value), key, Buffer.from(signature, 'base64'))),
  };
}

interface LedgerHead {
  /** An organization's id; empty for the platform. */
  readonly chain: string;
  /** Segments of the chain. */
  readonly count: number;
  readonly head: string;
  readonly at: string;
}

/** A chain without a segment has nothing to attest. */
export async function attestHead({ db, clock, log, attester }: Services, chain: string): Promise<void> {
  const head = await inContext(db, 'SUPER', async (trx) => {
    const last: Segment | undefined = await LedgerSegment.query(trx).where({ chain }).orderBy('seq', 'desc').first();
    if (!last) return undefined;
    const headAt = (now: Date): LedgerHead => ({ chain, count: last.seq, head: last.hash, at: now.toISOString() });
    return appendAttestation(trx, clock, (now) => {
      const ledger = headAt(now);
      return { ledger, signature: attester.sign(ledger) };
    });
  });
  if (head) log.info({ ...head.ledger }, 'ledger attested');
}

export interface AttestedHead extends LedgerHead {
  /** The hash of the attestation. */
  readonly id: number;
  readonly isSigned: boolean;
}

export async function attestedHeads(trx: Trx, chain: string, attester: Attester): Promise<AttestedHead[]> {
  const rows = await rowsOf<{ id: number; payload: string }>(
    trx,
    `select id, payload from rule_attestation where payload::jsonb -> 'ledger' ->> 'chain' = :chain order by id`,
    { chain },
  );
  return rows.map(({ id, payload }) => {
    const { ledger, signature } = JSON.parse(payload) as { ledger: LedgerHead; signature?: unknown };
    return { ...ledger, id, isSigned: typeof signature === 'string' && attester.isSigned(ledger, signature) };
  });
}

const sealEveryMs = 120_000;

export const ledgerJobs: CapabilityJobs = {
  schedules: [{ name: 'ledger-seal', everyMs: sealEveryMs, run: sealLedgers }],
  daily: [
    {
      name: 'ledger-attestation',
      dailyAt: 3,
      of: 'organization',
      run: (services, _queues, { organizationId }) => attestHead(services, organizationId),
    },
    { name: 'platform-ledger-attestation', dailyAt: 3, of: 'platform', run: (services) => attestHead(services, '') },
  ],
};
