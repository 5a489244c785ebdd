// Starts a teaser: ten items of the grade, and a token for finishing it.
import type { Logger } from 'pino';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { newId, newSecret } from '#core/platform/ids.ts';
import { presentItem } from '../content/index.ts';
import { addressHash } from './engine/address.ts';
import { readTeaserValues, type TeaserValues } from './engine/values.ts';
import { type ActiveSet, activeSet } from './item-sets.ts';
import { tokenHashOf } from './session.ts';
import { countStart } from './starts/limiter.ts';
import { TeaserSession } from './store.ts';
import { inTeaserTransaction } from './unavailable.ts';

export interface TeaserInput {
  readonly grade: number;
  /** Where the visitor came from, free text of the client. */
  readonly source: string | undefined;
  readonly clientIp: string;
}

interface Started {
  readonly token: string;
  readonly sessionId: string;
  readonly subSkillId: string;
  readonly items: ReturnType<typeof presentItem>[];
}

/** Throws RATE_LIMITED or TEASER_UNAVAILABLE; neither counts as a start. */
export function startTeaser<Result>(
  { db, ipHashSalt, rules, audio }: Pick<Services, 'db' | 'ipHashSalt' | 'rules' | 'audio'>,
  { grade, source, clientIp }: TeaserInput,
  { now, log }: { readonly now: Date; readonly log: Logger },
  answer: (started: Started) => Result,
): Promise<Result> {
  return inTeaserTransaction(db, async (trx) => {
    const values = readTeaserValues((await rules.at(trx, now)).rules);
    await countStart(trx, addressHash(ipHashSalt, clientIp), values.limit, now, log);
    const active = await activeSet(trx, grade, values);
    const token = newSecret();
    const sessionId = await insertSession(trx, active, values, { source, token }, now);
    const items = active.items.map((item) => presentItem(item, audio));
    return answer({ token, sessionId, subSkillId: active.set.subSkillId, items });
  });
}

async function insertSession(
  trx: Trx,
  { set }: ActiveSet,
  { ruleVersion }: TeaserValues,
  { source, token }: { readonly source: string | undefined; readonly token: string },
  now: Date,
): Promise<string> {
  const id = newId();
  await TeaserSession.query(trx).insert({
    id,
    itemSetId: set.id,
    itemSetVersion: set.version,
    itemIds: set.itemIds,
    ruleVersion,
    source: source ?? null,
    tokenHash: tokenHashOf(token),
    status: 'started',
    startedAt: now.toISOString(),
  });
  return id;
}
