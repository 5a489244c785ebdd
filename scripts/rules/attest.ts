// The sealed ledgers of a running service: walks the data of every organization against its chain.
import { readConfig } from '../../src/platform/config.ts';
import { loadSecrets } from '../../src/platform/secrets.ts';
import { openStorage } from '../../src/storage.ts';
import { createAttester } from '../../src/workbench/ledger/attest.ts';
import { type ChainProof, chainsOf, verifyChain } from '../../src/workbench/ledger/verify.ts';
import type { Output } from './terminal.ts';

/** Works on the database and with the key that the environment names, as the service does. */
export async function attest([action]: readonly string[], out: Output): Promise<boolean> {
  if (action !== 'verify') throw new Error('npm run rules -- attest verify');
  const config = readConfig(process.env);
  const attester = createAttester(loadSecrets(config).tokenSigningSeeds);
  const storage = await openStorage(config, new Date(), { keepAdopted: true });
  try {
    const proofs: ChainProof[] = [];
    for (const chain of await chainsOf(storage.db)) {
      const proof = await verifyChain(storage.db, chain, attester);
      proofs.push(proof);
      out.line(lineOf(proof));
    }
    out.json(proofs);
    return proofs.every(({ broken }) => broken === null);
  } finally {
    await storage.close();
  }
}

function lineOf({ chain, segments, rows, head, attested, broken }: ChainProof): string {
  const name = chain === '' ? 'platform' : chain;
  if (broken) return `BROKEN ${name}: ${broken.table} row ${broken.key}: ${broken.problem}`;
  return `ok     ${name}: ${rows} rows in ${segments} segments, attested ${attested} times, head ${head || 'none'}`;
}
