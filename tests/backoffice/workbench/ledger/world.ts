// A school with sealed and attested ledgers, and the hands of a superuser of the database.
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { attestHead } from '#backoffice/workbench/ledger/attest.ts';
import { sealLedgers } from '#backoffice/workbench/ledger/seal.ts';
import { type Broken, verifyChain } from '#backoffice/workbench/ledger/verify.ts';
import type { Student } from '../../../assessment/skill-status/shell.ts';
import { eventually } from '../../../faults/world.ts';
import { buildRuns, useReplays } from '../replays/world.ts';

export function useLedger<Context>(test: Test<Context>) {
  const { shell, owner } = useReplays(test, { ownEntries: true });
  const students: Student[] = [];
  const student = (at: 0 | 1 = 0): Student => {
    const one = students[at];
    assert.ok(one);
    return one;
  };
  const chain = () => student().organizationId;
  const verify = (of = chain()) => verifyChain(shell.services.db, of, shell.services.attester);
  const isPending = async () => (await owner('ledger_mark').whereNotNull('pending')).length > 0;

  /** Other databases of the server may hold a transaction open for a while. */
  const seal = async (): Promise<void> => {
    await sealLedgers(shell.services);
    await eventually('all is sealed', 60_000, async () => {
      await sealLedgers(shell.services);
      return !(await isPending());
    });
  };

  /** As superuser, with all triggers and foreign keys disabled. */
  const byPower = (...statements: string[]) =>
    owner.transaction(async (trx) => {
      await trx.raw("set local session_replication_role = 'replica'");
      for (const statement of statements) await trx.raw(statement);
    });

  /** What is found while the change stands. */
  const tampered = async (change: readonly string[], undo: readonly string[], of = chain()): Promise<Broken | null> => {
    await byPower(...change);
    const { broken } = await verify(of);
    await byPower(...undo);
    assert.is((await verify(of)).broken, null, 'all is as it was');
    return broken;
  };

  const removed = (table: string, where: string) =>
    tampered(
      [`create table kept as select * from ${table} where ${where}`, `delete from ${table} where ${where}`],
      [`insert into ${table} overriding system value select * from kept`, 'drop table kept'],
    );

  const auditRow = () => ({
    ...{ organizationId: chain(), at: shell.app.clock.now(), actorUserId: 1, operation: 'test', requestId: 'r' },
    ...{ entity: 'class', entityId: '1', action: 'insert', changedFields: [] },
  });

  test.before(async () => {
    const first = await shell.student();
    students.push(first, await shell.student({ organizationId: first.organizationId }));
    for (const one of students) await buildRuns(shell, one);
    for (const actorUserId of [1, 2]) await owner('audit_entry').insert({ ...auditRow(), actorUserId });
    await seal();
    await attestHead(shell.services, chain());
    await seal();
    await attestHead(shell.services, '');
  });
  return { shell, owner, student, chain, verify, isPending, seal, byPower, tampered, removed, auditRow };
}

/** Stated twice, it is as before. */
export const flip = `update diagnostic_response set correct = not correct
  where (session_id, seq) = (select session_id, seq from diagnostic_response order by ledger_no limit 1)`;
