// The chain of attestations: each holds the hash of the one before, so that none can be changed, removed or inserted without
// breaking the chain. Pure.
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';

export interface ChainLink {
  readonly id: number;
  readonly payload: string;
  readonly previousHash: string;
  readonly hash: string;
}

/** The hash of a link covers the hash before it and its payload. */
export const linkHash = (previousHash: string, payload: string): string => sha256Hex(previousHash + payload);

export type ChainProof =
  | { readonly holds: true; readonly newestHash: string }
  /** `brokenAt`: the first link that does not continue the one before; null when links are missing at the end. */
  | { readonly holds: false; readonly brokenAt: number | null };

/**
 * Links are ordered oldest first. `previousHash` is the hash before the first of them, empty at the beginning of the chain. That
 * links are missing at the end shows only against a hash that is stored elsewhere: `newestHash`.
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
