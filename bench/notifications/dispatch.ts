// From notification requests to inboxes: thousands of requests of one organization, in batches and one by one.

import { inContext } from '../../src/core/platform/db.ts';
import { newId } from '../../src/core/platform/ids.ts';
import { deliverWaiting } from '../../src/messaging/notifications/dispatch/deliver.ts';
import { insertRequests, type NewRequest } from '../../src/messaging/notifications/requests/rows.ts';
import { assertEqual } from '../harness/measure.ts';
import { cpuMs } from '../harness/processes.ts';
import { type Row, type Section, times } from '../harness/report.ts';
import { type Service, withService } from '../harness/service.ts';
import { insertPeople, type People } from './people.ts';

const count = 10_000;
/** The number of requests that are dispatched one by one, which is slow. */
const single = 300;
const aim = '≥ 1,000/s';

export const benchDispatch = (): Promise<Section> => withService(measure, { workers: 0 });

async function measure(service: Service): Promise<Section> {
  const people = await insertPeople(service, { parents: 200, students: 200 });
  await delivered(service, people, 1_000, 1_000);
  await service.owner.raw('analyze');
  const batches = await delivered(service, people, count, count);
  const singly = await delivered(service, people, single, 1);
  return report(batches, singly);
}

interface Spent {
  readonly dispatched: number;
  readonly elapsedMs: number;
  readonly ownMs: number;
  readonly databaseMs: number;
}

/** `atOnce`: how many are asked for before they are dispatched. Only the telling is timed. */
async function delivered(service: Service, people: People, all: number, atOnce: number): Promise<Spent> {
  const { services, pids, owner } = service;
  const { organizationId } = people;
  const count = async () => Number((await owner('notification').where({ organizationId }).count())[0]?.count);
  const before = await count();
  const spent = { elapsedMs: 0, ownMs: 0, databaseMs: 0 };
  for (let from = 0; from < all; from += atOnce) {
    await inContext(services.db, { organizationId }, (trx) => insertRequests(trx, requests(people, from, atOnce)));
    const cpu = { own: cpuMs(process.pid), database: cpuMs(pids.database) };
    const beganMs = performance.now();
    await tellAll(service, organizationId);
    spent.elapsedMs += performance.now() - beganMs;
    spent.ownMs += cpuMs(process.pid) - cpu.own;
    spent.databaseMs += cpuMs(pids.database) - cpu.database;
  }
  assertEqual('notifications', (await count()) - before, all);
  return { dispatched: all, ...spent };
}

async function tellAll({ services, owner }: Service, organizationId: string): Promise<void> {
  do await deliverWaiting(services, organizationId);
  while (await owner('notification_request').where({ organizationId, state: 'waiting' }).first('id'));
}

let lastEvent = 1_000_000;

/** Each request has a source of its own, so that no row serves another; half of them name a child. */
function requests({ organizationId, parents, students }: People, from: number, atOnce: number): NewRequest[] {
  return Array.from({ length: atOnce }, (_, at): NewRequest => {
    const studentId = students[(from + at) % students.length] ?? 0;
    const [kind, payload] =
      at % 2 === 0
        ? ['parent_tsp_activation', { studentId, assignmentId: newId() }]
        : ['skill_alert_assigned', { studentId, alertId: newId(), subSkillCode: 'DEC_WORD' }];
    lastEvent += 1;
    return {
      organizationId,
      eventId: lastEvent,
      recipientUserId: parents[(from + at) % parents.length] ?? 0,
      lane: 0,
      kind,
      payload,
      sourceType: 'bench',
      sourceId: newId(),
      requestedAt: new Date().toISOString(),
    };
  });
}

function report(batches: Spent, singly: Spent): Section {
  const rate = ({ dispatched, elapsedMs }: Spent) => (dispatched * 1_000) / elapsedMs;
  const cost = ({ dispatched, ownMs, databaseMs }: Spent) =>
    `${(ownMs / dispatched).toFixed(2)} ms, PostgreSQL ${(databaseMs / dispatched).toFixed(2)} ms`;
  const line = (contender: string, spent: Spent): Row => ({ contender, result: `${Math.round(rate(spent))}/s` });
  return {
    title: 'Dispatching notifications',
    note: `${count} requests of one organization, each of a source of its own, to 200 people about 200 children, from the requests to the stored rows; half of the texts hold a name. Asserted: each is one row. One worker, no queue; embedded PostgreSQL with durable commits, on the same cores.`,
    rows: [
      { ...line('in batches, as the job does', batches), aim },
      { contender: '· processor time of one', result: cost(batches) },
      { ...line('one after the other', singly), ratio: times(rate(batches), rate(singly)) },
      { contender: '· processor time of one', result: cost(singly) },
    ],
  };
}
