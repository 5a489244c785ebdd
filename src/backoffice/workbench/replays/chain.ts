// The chain of attestations: each holds the hash of the one before, so that none can be changed, dropped or slipped in
// without the rest telling. Pure.
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';

export interface ChainLink {
  readonly id: number;
  readonly payload: string;
  readonly previousHash: string;
  readonly hash: string;
}

/** Of a link: over the hash before it and its payload. */
export const linkHash = (previousHash: string, payload: string): string => sha256Hex(previousHash + payload);

export type ChainProof =
  | { readonly holds: true; readonly newestHash: string }
  /** `brokenAt`: the first link that does not continue the one before; null when links are missing at the end. */
  | { readonly holds: false; readonly brokenAt: number | null };

/**
 * Links oldest first. `previousHash` is the hash before the first of them, empty at the very beginning. That links were
 * cut off at the end can be told only against a hash that was noted elsewhere: `newestHash`.
 */
export function verifyChain(links: readonly ChainLink[], previousHash = '', newestHash?: string): ChainProof {
  let before = previousHash;
  for (const { id, payload, previousHash: claimed, hash } of links) {
    if (claimed !== before || hash !== linkHash(claimed, payload)) return { holds: false, brokenAt: id };
    before = hash;
  }
  return newestHash === undefined || newestHash === before
    ? { holds: true, newestHash: before }
    : { holds: false, brokenAt: null };
}
