// Recounts the requested classes of an organization in batches, one transaction each. When a batch fails, its classes
// are retried one by one, so that a class that cannot be counted blocks no other.
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

/** Classes in one transaction: some thousand students. */
const classesPerBatch = 100;

type Parts = Pick<Services, 'db' | 'clock' | 'rules' | 'log' | 'metrics'>;

export interface Refreshing {
  readonly organizationId: string;
  readonly stop?: AbortSignal;
}

/** Returns at once while another process counts; the sweep finds requests that arrive meanwhile. */
export async function refreshOrganization(services: Parts, { organizationId, stop }: Refreshing): Promise<void> {
  const failures: unknown[] = [];
  for (let after: number | undefined = 0; after !== undefined && !stop?.aborted; ) {
    const from: number = after;
    after = await refreshBatch(services, organizationId, { after: from, limit: classesPerBatch }).catch(() =>
      oneByOne(services, organizationId, from, failures),
    );
  }
  if (failures.length > 0) throw failures[0];
}

interface Batch {
  readonly after: number;
  readonly limit: number;
}

/** Returns the last class that was counted, or undefined when none is left or another process counts. */
function refreshBatch(services: Parts, organizationId: string, { after, limit }: Batch): Promise<number | undefined> {
  return inContext(services.db, { organizationId }, async (trx) => {
    const [locked] = await tryNamed(trx, 'aggregates', [organizationId]);
    if (locked === undefined) return undefined;
    const requests = await requestsAfter(trx, organizationId, { after, limit });
    if (requests.length > 0) await countRequested(services, trx, organizationId, requests);
    return requests.at(-1)?.key;
  });
}

/** The requests are read before the facts, so that later changes request a new count. */
async function countRequested(
  { clock, rules }: Parts,
  trx: Trx,
  organizationId: string,
  requests: readonly OpenRequest<number>[],
): Promise<void> {
  const now = clock.now();
  const inForce = (await rules.at(trx, now)).rules;
  const day = await beginDay(trx, organizationId, await localDateOf(trx, organizationId, now), now);
  const classIds = requests.map(({ key }) => key);
  const counts = await countClasses(trx, { organizationId, classIds, rules: inForce, now });
  await writeCounts(trx, { organizationId, day, classIds, counts });
  await closeRequests(trx, rollupRequests, organizationId, requests);
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
  const limit = { after, limit: classesPerBatch };
  const requests = await inContext(services.db, { organizationId }, (trx) => requestsAfter(trx, organizationId, limit));
  await eachInTurn(requests, ({ key: classId }) =>
    serveNoted(services, rollupRequests, organizationId, classId, async () => {
      await refreshBatch(services, organizationId, { after: classId - 1, limit: 1 });
    }),
  ).catch((error: unknown) => failures.push(error));
  return requests.at(-1)?.key;
}
