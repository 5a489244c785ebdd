// `rules attest verify`: verifies the data of every organization against its sealed chain.

import { type Attester, createAttester } from '#backoffice/workbench/ledger/attest.ts';
import { type ChainProof, chainsOf, verifyChain } from '#backoffice/workbench/ledger/verify.ts';
import { readConfig } from '#core/platform/config/read-config.ts';
import { connect, type Db } from '#core/platform/db.ts';
import { loadSecrets } from '#core/platform/keys/secrets.ts';
import { startEmbeddedServer } from '#core/platform/postgres/launcher.ts';
import type { Output } from './terminal.ts';

/** The interval of progress lines for a large organization. */
const progressEveryMs = 5_000;

/** Reads the database and the key of the environment, as the service does; writes nothing. */
export async function attest([action]: readonly string[], out: Output): Promise<boolean> {
  if (action !== 'verify') throw new Error('npm run rules -- attest verify');
  const config = readConfig(process.env);
  const attester = createAttester(loadSecrets(config).tokenSigningSeeds);
  const server = config.databaseUrl === undefined ? await startEmbeddedServer({ dataDir: config.dataDir }) : undefined;
  const db = connect(config.databaseUrl ?? server?.url('postgres') ?? '', {
    poolSize: 1,
    statementTimeoutMs: null,
    asOwner: true,
  });
  try {
    const proofs: ChainProof[] = [];
    for (const chain of await chainsOf(db)) proofs.push(await proofOf(db, chain, attester, out));
    out.json(proofs);
    return proofs.every(({ broken }) => broken === null);
  } finally {
    await db.destroy();
    if (server && !server.adopted) await server.stop();
  }
}

async function proofOf(db: Db, chain: string, attester: Attester, out: Output): Promise<ChainProof> {
  let printedAt = performance.now();
  const proof = await verifyChain(db, chain, attester, ({ segments, rows }) => {
    if (performance.now() - printedAt < progressEveryMs) return;
    printedAt = performance.now();
    out.line(`…      ${nameOf(chain)}: ${rows} rows in ${segments} segments so far`);
  });
  out.line(lineOf(proof));
  return proof;
}

const nameOf = (chain: string): string => (chain === '' ? 'platform' : chain);

function lineOf({ chain, segments, rows, head, attested, broken }: ChainProof): string {
  if (broken) return `BROKEN ${nameOf(chain)}: ${broken.table} row ${broken.key}: ${broken.problem}`;
  return `ok     ${nameOf(chain)}: ${rows} rows in ${segments} segments, attested ${attested} times, head ${head || 'none'}`;
}
