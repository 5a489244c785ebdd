// Replays all ledgers of an organization in batches: memory stays constant, and no transaction is open during
// computation.
import type { Services } from '#core/module/services.ts';
import { readTransactionIn, type Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { hasDrift } from '../engine/growth/drift.ts';
import { rewardRules } from '../engine/rules.ts';
import { pinnedRules } from '../ledger/ledgers.ts';
import { compareLedger } from './compare.ts';
import { ledgersAt } from './ledgers.ts';

/** Students in one statement. */
const batchSize = 200;
/** Maximum number of listed students; all are counted. */
const maxNamed = 20;

export interface LedgersReplay {
  readonly asOf: string;
  readonly students: number;
  readonly events: number;
  /** Students whose ledgers differ from what follows from their mastery events. */
  readonly drifted: number;
  readonly driftedStudentIds: readonly number[];
  readonly xpWithoutEvent: number;
}

/** Students without ledger rows are left out. Throws ENGINE_UNAVAILABLE. */
export async function replayLedgers(
  { db, clock, rules }: Pick<Services, 'db' | 'clock' | 'rules'>,
  organizationId: string,
): Promise<LedgersReplay> {
  const reading = readTransactionIn(db, { organizationId });
  const now = clock.now();
  const asOf = now.toISOString();
  const codes = rewardRules((await reading((trx) => rules.at(trx, now))).rules).badges.map(({ code }) => code);
  const summary = { asOf, students: 0, events: 0, drifted: 0, driftedStudentIds: [] as number[], xpWithoutEvent: 0 };
  for (let after = 0; ; ) {
    const ledgers = await reading(async (trx) =>
      ledgersAt(trx, { organizationId, asOf, studentIds: await studentsAfter(trx, organizationId, after) }),
    );
    const pinned = await pinnedRules(
      db,
      rules,
      ledgers.flatMap(({ events }) => events),
    );
    for (const ledger of ledgers) {
      summary.students += 1;
      summary.events += ledger.events.length;
      summary.xpWithoutEvent += ledger.xpWithoutEvent;
      if (!hasDrift(compareLedger(ledger, pinned, codes).drift)) continue;
      summary.drifted += 1;
      if (summary.driftedStudentIds.length < maxNamed) summary.driftedStudentIds.push(ledger.studentId);
    }
    const last = ledgers.at(-1);
    if (last === undefined || ledgers.length < batchSize) return summary;
    after = last.studentId;
  }
}

/** Includes students with XP but without mastery events. */
async function studentsAfter(trx: Trx, organizationId: string, after: number): Promise<number[]> {
  const rows = await rowsOf<{ studentId: number }>(
    trx,
    `(select distinct e.student_id from mastery_event e
        where e.organization_id = :organizationId and e.student_id > :after order by e.student_id limit :batchSize)
     union (select distinct x.student_id from xp_transaction x
        where x.organization_id = :organizationId and x.student_id > :after order by x.student_id limit :batchSize)
     order by student_id limit :batchSize`,
    { organizationId, after, batchSize },
  );
  return rows.map(({ studentId }) => studentId);
}
