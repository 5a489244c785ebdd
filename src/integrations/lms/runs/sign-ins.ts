// Links of first sign-ins that a commit has made its own: whoever takes it back gives them back.

import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { type Identified, markByEmail } from '#identity/people/index.ts';
import { identityOf } from '../enums.ts';
import { partsOf } from '../preview/positions.ts';
import { givenBack } from './memory.ts';
import type { LmsSyncRun } from './rows.ts';

const takenOver = `lms_change c where ${givenBack} and c.after @> '{"wasByEmail": true}'`;

/** `kept`: ids of rows that stay as they are. */
export async function giveSignInsBack(trx: Trx, run: LmsSyncRun, kept: readonly string[]): Promise<void> {
  const { organizationId, provider, id: runId } = run;
  if (identityOf(provider) !== 'google') return;
  const key = { organizationId, runId, kept: [...kept] };
  for await (const part of partsOf(trx, takenOver, key)) {
    const people = await rowsOf<Identified>(
      trx,
      `select c.user_id, c.after ->> 'externalId' as subject from ${takenOver}
         and c.position > :after and c.position <= :upTo
       order by c.position`,
      { ...key, ...part },
    );
    await markByEmail(trx, { organizationId, provider: 'google', byEmail: true }, people);
  }
}
