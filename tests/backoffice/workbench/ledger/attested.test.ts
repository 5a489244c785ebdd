// timeout: 180s
// Chains and their signed heads: who makes all hashes again is found by what was signed, and without the key no one signs.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { attestHead, createAttester } from '#backoffice/workbench/ledger/attest.ts';
import { ledgerRows, listLedgerTables, type Segment, segmentHash } from '#backoffice/workbench/ledger/ledgers.ts';
import { chainsOf } from '#backoffice/workbench/ledger/verify.ts';
import { inContext } from '#core/platform/db.ts';
import { acquireLock } from '#core/platform/locks.ts';
import { sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { eventually } from '../../../faults/world.ts';
import { flip, useLedger } from './world.ts';

const test = suite('attested ledgers');
const { shell, owner, chain, verify, byPower, tampered, removed } = useLedger(test);

/** A chain that fits the data as they are now, all hashes made again. */
async function rewritten(segments: readonly Segment[]): Promise<Segment[]> {
  const ledgers = await inContext(owner, 'SUPER', listLedgerTables);
  const made: Segment[] = [];
  for (const segment of segments) {
    const ledger = ledgers.find(({ table }) => table === segment.tableName);
    assert.ok(ledger);
    const range = { after: (segment.keys[0] ?? 0) - 1, through: segment.keys.at(-1) ?? 0, limit: 500, chain: chain() };
    const rows = await inContext(owner, 'SUPER', (trx) => ledgerRows(trx, ledger, range));
    const digests = rows.map(({ digest }) => digest).join('');
    const draft = { ...segment, digests, previousHash: made.at(-1)?.hash ?? '' };
    made.push({ ...draft, hash: segmentHash(draft) });
  }
  return made;
}

const put = (segments: readonly Segment[]) =>
  segments.map(
    ({ seq, digests, previousHash, hash }) =>
      `update ledger_segment set digests = '${digests}', previous_hash = '${previousHash}', hash = '${hash}'
        where chain = '${chain()}' and seq = ${seq}`,
  );

test('a chain that was rewritten to fit a changed answer: one digest of it, and all of it', async () => {
  const before: Segment[] = await owner('ledger_segment').where({ chain: chain() }).orderBy('seq');
  await byPower(flip);
  const forged = await rewritten(before);
  const at = forged.findIndex(({ digests }, place) => digests !== before[place]?.digests);
  assert.is(before[at]?.tableName, 'diagnostic_response');
  await byPower(...put(forged.slice(at, at + 1)));
  const one = await verify();
  await byPower(...put(forged));
  const all = await verify();
  await byPower(flip, ...put(before));
  assert.equal(one.broken, { table: 'ledger_segment', key: at + 2, problem: 'chain broken' });
  assert.equal(all.broken, { table: 'rule_attestation', key: (await newest()).id, problem: 'not as attested' });
  assert.is((await verify()).broken, null);
});

test('a chain that was cut off at its end', async () => {
  const { seq } = await owner('ledger_segment').where({ chain: chain() }).orderBy('seq', 'desc').first();
  const broken = await removed('ledger_segment', `chain = '${chain()}' and seq = ${seq}`);
  assert.equal(broken, { table: 'rule_attestation', key: (await newest()).id, problem: 'not as attested' });
});

const newest = () =>
  owner('rule_attestation')
    .whereRaw("payload::jsonb -> 'ledger' ->> 'chain' = ?", [chain()])
    .orderBy('id', 'desc')
    .first();

test('an attestation that a person without the key has made, for a chain made again', async () => {
  const { id, payload, previousHash, hash } = await newest();
  const { ledger } = JSON.parse(payload);
  const forger = createAttester([Buffer.alloc(32, 9)]);
  const text = JSON.stringify({ ledger, signature: forger.sign(ledger) });
  const set = (one: string, its: string) =>
    `update rule_attestation set payload = '${one}', hash = '${its}' where id = ${id}`;
  const broken = await tampered([set(text, sha256Hex(previousHash + text))], [set(payload, hash)]);
  assert.equal(broken, { table: 'rule_attestation', key: id, problem: 'bad signature' });
});

test('an old attestation that was changed, all hashes of its chain made again', async () => {
  const links: { id: number; payload: string; previousHash: string; hash: string }[] =
    await owner('rule_attestation').orderBy('id');
  const set = (rows: typeof links) =>
    rows.map(
      ({ id, payload, previousHash, hash }) =>
        `update rule_attestation set payload = '${payload}', previous_hash = '${previousHash}', hash = '${hash}'
          where id = ${id}`,
    );
  const forged: typeof links = [];
  for (const [at, link] of links.entries()) {
    const payload = at === 0 ? '{"same":99999}' : link.payload;
    const previousHash = forged.at(-1)?.hash ?? '';
    forged.push({ ...link, payload, previousHash, hash: sha256Hex(previousHash + payload) });
  }
  const broken = await tampered(set(forged), set(links), '');
  assert.equal(broken, { table: 'rule_attestation', key: links[0]?.id, problem: 'changed' });
});

test('what is attested without a signature is reported, not thrown', async () => {
  const { id, payload, previousHash, hash } = await newest();
  const text = JSON.stringify({ ledger: JSON.parse(payload).ledger });
  const set = (one: string, its: string) =>
    `update rule_attestation set payload = '${one}', hash = '${its}' where id = ${id}`;
  const broken = await tampered([set(text, sha256Hex(previousHash + text))], [set(payload, hash)]);
  assert.equal(broken, { table: 'rule_attestation', key: id, problem: 'bad signature' });
});

test('the run-time role attests no head that no segment has', async () => {
  const { db } = shell.services;
  const { hash: previousHash } = await owner('rule_attestation').orderBy('id', 'desc').first();
  const { ledger } = JSON.parse((await newest()).payload);
  const payload = JSON.stringify({ ledger: { ...ledger, head: 'f'.repeat(64) }, signature: '' });
  const row = { payload, previousHash, hash: sha256Hex(previousHash + payload), at: shell.app.clock.now() };
  await inContext(db, 'SUPER', (trx) => trx('rule_attestation').insert(row)).then(
    () => assert.unreachable(),
    (error) => assert.match(error.message, 'of a nightly replay, of a sealed chain or of ledgers of growth'),
  );
});

test('an organization that was removed with its chain is looked for by what was attested', async () => {
  const forget = (id: string, to: string) => [
    `update organization set id = '${to}' where id = '${id}'`,
    `update ledger_segment set chain = '${to}' where chain = '${id}'`,
  ];
  await byPower(...forget(chain(), 'gone'));
  const chains = await chainsOf(shell.services.db);
  const { broken } = await verify();
  await byPower(...forget('gone', chain()));
  assert.ok(chains.includes(chain()) && chains.includes('gone') && chains.includes(''));
  assert.equal(broken, { table: 'rule_attestation', key: (await newest()).id, problem: 'not as attested' });
});

test('an attestation that waited for another is not dated before it', async () => {
  const held = await owner.transaction();
  await acquireLock(held, 'attestation');
  const waiting = attestHead(shell.services, chain());
  await eventually('it waits', 10_000, async () => {
    const { rows } = await owner.raw(
      "select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
    );
    return rows.length > 0;
  });
  shell.app.clock.advance(60_000);
  await held.commit();
  await waiting;
  const { at, payload } = await newest();
  assert.equal(new Date(at), shell.app.clock.now());
  assert.is(JSON.parse(payload).ledger.at, shell.app.clock.now().toISOString());
});

test.run();
