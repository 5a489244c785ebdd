// All ledgers of an organization, derived again piece by piece: memory stays flat, and no transaction is open while anything is
// worked out.
import type { Services } from '#core/module/services.ts';
import { readingIn, type Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { hasDrift } from '../engine/growth/drift.ts';
import { rewardRules } from '../engine/rules.ts';
import { pinnedRules } from '../ledger/known.ts';
import { compareLedger } from './compare.ts';
import { ledgersAt } from './ledgers.ts';

/** Students of one statement. */
const pieceSize = 200;
/** Students who are named; all are counted. */
const maxNamed = 20;

export interface LedgerNight {
  readonly asOf: string;
  readonly students: number;
  readonly events: number;
  /** Students whose ledgers are not what follows from their mastery events. */
  readonly drifted: number;
  readonly driftedStudentIds: readonly number[];
  readonly xpWithoutEvent: number;
}

/** Who has no row in a ledger is left out. Throws ENGINE_UNAVAILABLE. */
export async function replayLedgers(
  { db, clock, rules }: Pick<Services, 'db' | 'clock' | 'rules'>,
  organizationId: string,
): Promise<LedgerNight> {
  const reading = readingIn(db, { organizationId });
  const now = clock.now();
  const asOf = now.toISOString();
  const codes = rewardRules((await reading((trx) => rules.at(trx, now))).rules).badges.map(({ code }) => code);
  const night = { asOf, students: 0, events: 0, drifted: 0, driftedStudentIds: [] as number[], xpWithoutEvent: 0 };
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
      night.students += 1;
      night.events += ledger.events.length;
      night.xpWithoutEvent += ledger.xpWithoutEvent;
      if (!hasDrift(compareLedger(ledger, pinned, codes).drift)) continue;
      night.drifted += 1;
      if (night.driftedStudentIds.length < maxNamed) night.driftedStudentIds.push(ledger.studentId);
    }
    const last = ledgers.at(-1);
    if (last === undefined || ledgers.length < pieceSize) return night;
    after = last.studentId;
  }
}

/** XP without any mastery event is found too. */
async function studentsAfter(trx: Trx, organizationId: string, after: number): Promise<number[]> {
  const rows = await rowsOf<{ studentId: number }>(
    trx,
    `(select distinct e.student_id from mastery_event e
        where e.organization_id = :organizationId and e.student_id > :after order by e.student_id limit :pieceSize)
     union (select distinct x.student_id from xp_transaction x
        where x.organization_id = :organizationId and x.student_id > :after order by x.student_id limit :pieceSize)
     order by student_id limit :pieceSize`,
    { organizationId, after, pieceSize },
  );
  return rows.map(({ studentId }) => studentId);
}
