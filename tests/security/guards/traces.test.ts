// timeout: 180s
// Removes one by one the guards that keep records of events, and those that erase a person.
import { test } from 'uvu';
import { newId } from '#core/platform/ids.ts';
import { openSessionOf } from '../../harness/factories.ts';
import type { HttpClient } from '../../harness/fetch.ts';
import { useApp } from '../../harness/http.ts';
import { buildTenant, buildWorld, type Tenant, type World } from '../../harness/world.ts';
import { from, noGeneralLimits } from '../support.ts';
import { accepted, disabled, type Fault, plant, tampered, withGuards, withServices } from './harness.ts';

const app = useApp(test, { settings: noGeneralLimits, ownEntries: true });
const { owner } = app.database;
const { services } = app;
let world: World;

test.before(async () => {
  world = await buildWorld(app);
});

const admin = () => world.own.people.ADMIN;

async function entryOfNewSchool(client: HttpClient): Promise<{ actorUserId: number | null } | undefined> {
  const input = { organizationId: world.own.organizationId, name: newId(), country: 'SA' };
  const { body } = await client.post<{ id: string }>('/api/schools', input, { token: admin().token });
  return owner('audit_entry').where({ entity: 'school', entityId: body.id }).first();
}

/** Uses a spent refresh token. */
async function reuse(client: HttpClient): Promise<void> {
  const { refreshToken } = await openSessionOf(app, world.own.people.MANAGER);
  const headers = from('192.0.2.77');
  for (let time = 0; time < 2; time++) await client.post('/api/auth/refresh', { refreshToken }, { headers });
}

async function eventsSince(last: number): Promise<{ kind: string; addressHash: string }[]> {
  await services.securityEvents.settled();
  return owner('security_event').where('id', '>', last).select('kind', 'addressHash');
}

const lastEvent = async () => Number((await owner('security_event').max('id as last').first())?.last ?? 0);

async function leaves(kind: string, work: () => Promise<unknown>): Promise<boolean> {
  const last = await lastEvent();
  await work();
  return (await eventsSince(last)).some((event) => event.kind === kind);
}

const isRefused = async (by: typeof owner, work: Parameters<typeof accepted>[2]) =>
  !(await accepted(app, { context: 'SUPER', by }, work));

/** Erases a student with a quick code and a used Idempotency-Key. */
async function erased(client: HttpClient): Promise<{ student: Tenant['people']['STUDENT']; key: string }> {
  const { people } = await buildTenant(app);
  const { token } = people.ADMIN;
  const key = newId();
  const path = `/api/students/${people.STUDENT.id}`;
  await client.post(`${path}/quick-code`, undefined, { token, headers: { 'idempotency-key': key } });
  await client.post(`${path}/erasure`, undefined, { token });
  return { student: people.STUDENT, key };
}

const exported = (client: HttpClient) => {
  const { STUDENT, ADMIN } = world.own.people;
  return client.get<{ sections: Record<string, { enrollment?: unknown[] }> }>(
    `/api/students/${STUDENT.id}/data-export`,
    { token: ADMIN.token },
  );
};

const silent = { ...services.securityEvents, record: () => {}, recordWith: async () => {} };

const faults: readonly Fault[] = [
  {
    name: 'the audit log',
    holds: async (client) => (await entryOfNewSchool(client)) !== undefined,
    without: { database: tampered('audit_entry', 'insert', 'return null;') },
  },
  {
    name: 'the writer of a change',
    holds: async (client) => (await entryOfNewSchool(client))?.actorUserId === admin().id,
    without: { wiring: withGuards({ nameWriter: async () => {} }) },
  },
  {
    name: 'a change of an audit entry, even by the owner',
    holds: async (client) => {
      await entryOfNewSchool(client);
      return isRefused(owner, (trx) => trx('audit_entry').update({ actorUserId: world.superAdmin.id }));
    },
    without: { database: disabled('audit_entry', 'audit_entry_append_only') },
  },
  {
    name: 'a truncated ledger, even by the owner',
    holds: () => isRefused(owner, (trx) => trx.raw('truncate data_export')),
    without: { database: disabled('data_export', 'data_export_no_truncate') },
  },
  {
    name: 'the event of a refresh token that was used twice',
    holds: (client) => leaves('refresh_reuse', () => reuse(client)),
    without: { database: tampered('security_event', 'insert', 'return null;') },
  },
  {
    name: 'the event of a refusal',
    holds: (client) =>
      leaves('permission_denied', () => client.get('/api/users', { token: world.own.people.PARENT.token })),
    without: {
      wiring: ({ guards, ...parts }) => {
        const { refused: _nobodyIsTold, ...rest } = guards ?? {};
        return { ...parts, guards: rest as NonNullable<typeof guards> };
      },
    },
  },
  {
    name: 'addresses in events as hashes only',
    holds: async (client) => {
      const last = await lastEvent();
      await reuse(client);
      return (await eventsSince(last)).every(({ addressHash }) => addressHash !== '192.0.2.77');
    },
    without: { wiring: withServices({ addressHash: (clientIp) => clientIp }) },
  },
  {
    name: 'an event that is removed before its time',
    holds: async (client) => {
      await reuse(client);
      return isRefused(app.database.app, (trx) => trx('security_event').delete());
    },
    without: { database: disabled('security_event', 'security_event_kept') },
  },
  {
    name: 'the event of an export of a person’s data',
    holds: (client) => leaves('data_export', () => exported(client)),
    without: { wiring: withServices({ securityEvents: silent }) },
  },
  {
    name: 'a section of the data about a person',
    holds: async (client) => (await exported(client)).body.sections.identity?.enrollment?.length === 1,
    without: {
      wiring: withServices({ personalData: services.personalData.filter(({ name }) => name !== 'identity') }),
    },
  },
  {
    name: 'an erasure that forgets each table (one is left)',
    holds: async (client) => {
      const { student } = await erased(client);
      return (await owner('quick_code').where({ studentId: student.id })).length === 0;
    },
    without: { database: tampered('quick_code', 'delete', 'return null;') },
  },
  {
    name: 'the people whom stored responses are about',
    holds: async (client) => {
      const { key } = await erased(client);
      return (await owner('idempotent_answer').where({ key })).length === 0;
    },
    without: { database: tampered('idempotent_answer', 'insert or update', "new.subject_ids := '{}'; return new;") },
  },
];

plant(test, app, faults);

test.run();
