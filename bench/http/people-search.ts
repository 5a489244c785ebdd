// The search for people by name over HTTP, in an organization of 60,000 people, beside the same list without a search.

import { childName, drawFamily } from '../../src/app/demo/engine/names.ts';
import { randomStream } from '../../src/app/demo/engine/random.ts';
import { defaultLimit } from '../../src/core/http/pages.ts';
import type { Db } from '../../src/core/platform/db.ts';
import { foldName } from '../../src/rules/language/index.ts';
import { buildOrganization, buildUser } from '../../tests/harness/factories.ts';
import { clientOf, signIn } from '../harness/client.ts';
import { assertEqual, percentile } from '../harness/measure.ts';
import { cpuMs } from '../harness/processes.ts';
import { duration, type Row, type Section } from '../harness/report.ts';
import { type Service, withService } from '../harness/service.ts';

const people = 60_000;
const inserted = 5_000;
const warmUps = 10;
const calls = 60;

interface Read {
  readonly what: string;
  readonly path: string;
  readonly aim?: string;
}

/** The texts, as people type them: the folded names differ from the stored ones. */
const searches = {
  'one word': 'احمد',
  'two words': 'احمد علي',
  'two words, the second of which nearly everybody has': 'فاطمه ال',
  'one letter, with which a word of nearly every name begins': 'ا',
};

const listed = (q: string) => `/api/users?q=${encodeURIComponent(q)}`;
const aim = '≤ 20 ms';
const reads: readonly Read[] = [
  { what: 'who am I', path: '/api/auth/me' },
  { what: 'first page without a search', path: '/api/users' },
  ...Object.entries(searches).map(([what, q]) => ({ what, path: listed(q), aim })),
];

export const benchPeopleSearch = (): Promise<Section> => withService(measure);

async function measure(service: Service): Promise<Section> {
  const { owner } = service;
  const { id: organizationId } = await buildOrganization(owner);
  const names = await insertPeople(owner, organizationId);
  const token = await signIn(service, await buildUser(owner, 'ADMIN', { organizationId }));
  await owner.raw('vacuum analyze');
  const client = clientOf(service.url, 1);
  try {
    const counts = new Map<string, number>();
    for (const [what, q] of Object.entries(searches)) {
      const found = searchedByHand(names, q);
      const { items } = JSON.parse(await client.ask('GET', listed(q), token)) as { items: { id: number }[] };
      const ids = found.slice(0, defaultLimit).map(({ id }) => id);
      assertEqual(
        what,
        items.map(({ id }) => id),
        ids,
      );
      counts.set(what, found.length);
    }
    const rows: Row[] = [];
    for (const read of reads) {
      const asked = await askOften(service, () => client.ask('GET', read.path, token));
      rows.push(...rowsOf(read, asked, counts.get(read.what)));
    }
    return sectionOf(rows);
  } finally {
    client.close();
  }
}

interface Named {
  readonly id: number;
  readonly folded: string;
}

/** Inserts students with the names of the demo; the triggers of the database fold them. */
async function insertPeople(owner: Db, organizationId: string): Promise<readonly Named[]> {
  const random = randomStream('people-search');
  const student = { organizationId, scope: 'ORGANIZATION', primaryPersona: 'STUDENT', createdAt: new Date() };
  const named: Named[] = [];
  for (let from = 0; from < people; from += inserted) {
    const rows = Array.from({ length: inserted }, () => ({
      ...student,
      fullNameAr: childName(drawFamily(random), random),
    }));
    const stored: { id: number; fullNameAr: string }[] = await owner('app_user')
      .insert(rows)
      .returning(['id', 'fullNameAr']);
    named.push(...stored.map(({ id, fullNameAr }) => ({ id, folded: foldName(fullNameAr) })));
  }
  return named;
}

/** Returns everybody of whose name each word of the text begins a word, in the order of the list. */
function searchedByHand(names: readonly Named[], q: string): Named[] {
  const words = foldName(q).split(' ');
  return names
    .filter(({ folded }) => words.every((word) => ` ${folded}`.includes(` ${word}`)))
    .toSorted((one, other) => Buffer.compare(Buffer.from(one.folded), Buffer.from(other.folded)) || one.id - other.id);
}

interface Asked {
  /** Durations in nanoseconds. */
  readonly waits: readonly number[];
  /** Processor time of one call. */
  readonly ownMs: number;
  readonly databaseMs: number;
}

/** Calls one after the other. */
async function askOften({ pids }: Service, call: () => Promise<unknown>): Promise<Asked> {
  for (let at = 0; at < warmUps; at += 1) await call();
  const before = { own: cpuMs(pids.api), database: cpuMs(pids.database) };
  const waits: number[] = [];
  for (let at = 0; at < calls; at += 1) {
    const from = performance.now();
    await call();
    waits.push((performance.now() - from) * 1e6);
  }
  return {
    waits,
    ownMs: (cpuMs(pids.api) - before.own) / calls,
    databaseMs: (cpuMs(pids.database) - before.database) / calls,
  };
}

function rowsOf({ what, aim = '' }: Read, { waits, ownMs, databaseMs }: Asked, found: number | undefined): Row[] {
  const name = found === undefined ? what : `${what}: ${found.toLocaleString('en')} people`;
  return [
    { contender: `${name}, half of the calls`, result: duration(percentile(waits, 0.5)) },
    { contender: '· 19 of 20', result: duration(percentile(waits, 0.95)), aim },
    {
      contender: '· processor time of the API a call',
      result: `${ownMs.toFixed(1)} ms, PostgreSQL ${databaseMs.toFixed(1)} ms`,
    },
  ];
}

const sectionOf = (rows: readonly Row[]): Section => ({
  title: 'Finding people by name',
  note: `An organization of ${people.toLocaleString('en')} people with the names of the demo, asked by its administrator over HTTP, one call after the other, for the first page of ${defaultLimit}. Asserted: the people of a search of all names by hand, in the order of the list.`,
  rows,
});
