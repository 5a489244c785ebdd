// Sets the context flags of the demo's teachers before the first sitting.

import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { StoredContextFlag, setFlag } from '#identity/context-flags/index.ts';
import { type Organization, User } from '#identity/people/index.ts';
import type { SchoolYearDates } from '#rules/catalogue/index.ts';
import { notedFlags } from '../engine/noted-flags.ts';
import { withFixedClock } from '../fixed-clock.ts';

/** Sets all flags in one transaction, unless they exist. */
export async function noteFlags(
  services: Services,
  { id: organizationId }: Pick<Organization, 'id'>,
  { from }: Pick<SchoolYearDates, 'from'>,
  rulesOf: Date,
): Promise<void> {
  const past = withFixedClock(services, new Date(from), rulesOf);
  await inContext(services.db, { organizationId }, async (trx) => {
    if (await StoredContextFlag.query(trx).select('id').first()) return;
    const idOf = await idsByKey(trx);
    for (const { studentKey, teacherKey, flagCode } of notedFlags) {
      const student = { id: idOf(studentKey), organizationId };
      await setFlag(past, trx, student, { flagCode }, idOf(teacherKey));
    }
  });
}

/** Throws RangeError for an unknown key. */
async function idsByKey(trx: Trx): Promise<(key: string) => number> {
  const keys = notedFlags.flatMap(({ studentKey, teacherKey }) => [studentKey, teacherKey]);
  const rows = await User.query(trx).whereIn('externalId', keys).select('id', 'externalId');
  const ids = new Map(rows.map(({ externalId, id }) => [externalId, id]));
  return (key) => {
    const id = ids.get(key);
    if (id === undefined) throw new RangeError(`no person has the key ${key}`);
    return id;
  };
}
