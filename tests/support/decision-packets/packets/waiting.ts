// Work about one student that waits for the lock of their support while the clock advances, and the times that it writes.
import { eventually, lockWaits } from '../../../harness/eventually.ts';
import type { UserRow } from '../../../harness/factories.ts';
import type { Desk } from '../desk.ts';

const tables = ['rti_alert', 'rti_decision', 'tier_movement', 'rti_evaluation', 'decision_packet', 'fidelity_snapshot'];

type Row = Readonly<Record<string, unknown>>;

export function useWaiting({ app, owner, facts }: Desk) {
  async function momentsOf({ id: studentId }: UserRow): Promise<ReadonlyMap<string, unknown>> {
    const found: [string, unknown][] = [];
    const note = (table: string, rows: readonly Row[]) => {
      for (const row of rows) {
        for (const [column, value] of Object.entries(row)) {
          if (column.endsWith('At') && value !== null) found.push([`${table} ${row.id} ${column}`, value]);
        }
      }
    };
    for (const table of tables) note(table, await owner(table).where({ studentId }));
    const events = owner('outbox').whereRaw("payload ->> 'studentId' = ?", [String(studentId)]);
    note('outbox', await events.select('id', 'createdAt'));
    return new Map(found);
  }

  /** Holds the lock until the work waits for it, and runs `meanwhile` a minute later under the lock. */
  async function waited<Answer>(
    { id: studentId }: UserRow,
    work: () => Promise<Answer>,
    meanwhile: () => Promise<unknown> = async () => {},
  ): Promise<Answer> {
    const holder = await owner.transaction();
    await holder('student_support').where({ studentId }).forNoKeyUpdate();
    const working = work();
    working.catch(() => {});
    await eventually('the work waits', async () => (await lockWaits(owner)) > 0);
    app.clock.advance(60_000);
    await meanwhile();
    await holder.commit();
    return working;
  }

  return {
    waited,
    /** Returns the times that the work has written, by column. */
    async written(student: UserRow, work: () => Promise<unknown>): Promise<ReadonlyMap<string, unknown>> {
      await facts(student).support();
      const before = await momentsOf(student);
      await waited(student, work);
      return new Map([...(await momentsOf(student))].filter(([place, moment]) => before.get(place) !== moment));
    },
  };
}
