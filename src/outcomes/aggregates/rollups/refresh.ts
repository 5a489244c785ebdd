// Counts the classes of an organization anew that somebody has asked for, a piece of them in one transaction; where a piece
// fails each class alone, so that one that cannot be counted holds up no other.
import { serveNoted } from '#core/module/request-queue.ts';
import type { Services } from '#core/module/services.ts';
import { inContext, type Trx } from '#core/platform/db.ts';
import { tryNamed } from '#core/platform/locks.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import { closeRequests, type OpenRequest } from '#core/platform/requests/requests.ts';
import { Organization } from '#identity/people/index.ts';
import { countClasses } from './counting/classes.ts';
import { requestsAfter, rollupRequests } from './requests.ts';
import { beginDay, writeCounts } from './rows.ts';

/** Classes of one transaction: some thousand students. */
const classesAtOnce = 100;

type Parts = Pick<Services, 'db' | 'clock' | 'rules' | 'log' | 'metrics'>;

export interface Refreshing {
  readonly organizationId: string;
  readonly stop?: AbortSignal;
}

/** A process that comes while another one counts returns: what was asked for meanwhile is found by the sweep. */
export async function refreshOrganization(services: Parts, { organizationId, stop }: Refreshing): Promise<void> {
  const failures: unknown[] = [];
  for (let after: number | undefined = 0; after !== undefined && !stop?.aborted; ) {
    const from: number = after;
    after = await piece(services, organizationId, { after: from, limit: classesAtOnce }).catch(() =>
      oneByOne(services, organizationId, from, failures),
    );
  }
  if (failures.length > 0) throw failures[0];
}

interface Piece {
  readonly after: number;
  readonly limit: number;
}

/** Answers the last class that it counted; undefined: none is left, or somebody else counts. */
function piece(services: Parts, organizationId: string, { after, limit }: Piece): Promise<number | undefined> {
  return inContext(services.db, { organizationId }, async (trx) => {
    const [held] = await tryNamed(trx, 'aggregates', [organizationId]);
    if (held === undefined) return undefined;
    const asked = await requestsAfter(trx, organizationId, { after, limit });
    if (asked.length > 0) await countAsked(services, trx, organizationId, asked);
    return asked.at(-1)?.key;
  });
}

/** The requests were read first: what happens from then on asks again. */
async function countAsked(
  { clock, rules }: Parts,
  trx: Trx,
  organizationId: string,
  asked: readonly OpenRequest<number>[],
): Promise<void> {
  const now = clock.now();
  const inForce = (await rules.at(trx, now)).rules;
  const day = await beginDay(trx, organizationId, await localDateOf(trx, organizationId, now), now);
  const classIds = asked.map(({ key }) => key);
  const counts = await countClasses(trx, { organizationId, classIds, rules: inForce, now });
  await writeCounts(trx, { organizationId, day, classIds, counts });
  await closeRequests(trx, rollupRequests, organizationId, asked);
}

async function localDateOf(trx: Trx, organizationId: string, now: Date): Promise<string> {
  const { timeZone } = await Organization.query(trx).findById(organizationId).select('timeZone').throwIfNotFound();
  return localDate(now, timeZone);
}

async function oneByOne(
  services: Parts,
  organizationId: string,
  after: number,
  failures: unknown[],
): Promise<number | undefined> {
  const limit = { after, limit: classesAtOnce };
  const asked = await inContext(services.db, { organizationId }, (trx) => requestsAfter(trx, organizationId, limit));
  await eachInTurn(asked, ({ key: classId }) =>
    serveNoted(services, rollupRequests, organizationId, classId, async () => {
      await piece(services, organizationId, { after: classId - 1, limit: 1 });
    }),
  ).catch((error: unknown) => failures.push(error));
  return asked.at(-1)?.key;
}
