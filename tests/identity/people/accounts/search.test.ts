// timeout: 180s
// People are found by their names as people type them, in the order of their folded names.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext, type Trx } from '#core/platform/db.ts';
import { listUsers } from '#identity/people/accounts/queries.ts';
import { up as foldAll } from '../../../../migrations/20261128_98-folded-names-of-all.expand.ts';
import { buildClass, buildStudent, buildSuperAdmin, buildUser, signIn } from '../../../harness/factories.ts';
import { useApp } from '../../../harness/http.ts';
import { buildTenant, type Tenant } from '../../../harness/world.ts';

const app = useApp(test);
const { owner } = app.database;
let tenant: Tenant;

test.before(async () => {
  tenant = await buildTenant(app);
});

interface Person {
  readonly id: number;
  readonly fullNameAr: string;
}

/** Reads page after page. */
async function readAll(path: string, token: string): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const more: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await app.get<{ items: Person[]; nextCursor: string | null }>(`${path}${more}`, { token });
    assert.is(status, 200, JSON.stringify(body));
    names.push(...body.items.map(({ fullNameAr }) => fullNameAr));
    cursor = body.nextCursor;
  }
  return names;
}

async function find(q: string, more = ''): Promise<string[]> {
  const { status, body } = await app.get<{ items: Person[] }>(
    `/api/users?limit=100&q=${encodeURIComponent(q)}${more}`,
    {
      token: tenant.people.ADMIN.token,
    },
  );
  assert.is(status, 200, JSON.stringify(body));
  return body.items.map(({ fullNameAr }) => fullNameAr);
}

/** Stores students of one family name, so that the other people of the tenant are not found by it. */
async function store(names: readonly string[]): Promise<void> {
  for (const fullNameAr of names) {
    const body = {
      ...{ primaryPersona: 'STUDENT', organizationId: tenant.organizationId, classId: tenant.classRow.id, fullNameAr },
    };
    const made = await app.post('/api/users', body, { token: tenant.people.ADMIN.token });
    assert.is(made.status, 201, JSON.stringify(made.body));
  }
}

const found: readonly (readonly [q: string, stored: readonly string[]])[] = [
  ['احمد', ['أحمد البحثي', 'آحمد البحثي']],
  ['أَحْمَد', ['أحمد البحثي', 'آحمد البحثي']],
  ['محمد', ['مُحَمَّد البحثي', 'محمـــد البحثي']],
  ['فاطمة', ['فاطمة البحثي', 'فاطمه البحثي']],
  ['فاطمه', ['فاطمة البحثي', 'فاطمه البحثي']],
  ['هدى', ['هدى البحثي', 'هدي البحثي']],
  ['هدي البحثي', ['هدى البحثي', 'هدي البحثي']],
  ['  البحثي   هدى ', ['هدى البحثي', 'هدي البحثي']],
  ['عبدالله', ['عبد الله البحثي', 'عبدالله البحثي']],
  ['عبد الله', ['عبد الله البحثي', 'عبدالله البحثي']],
  ['عبد-الله', ['عبد الله البحثي', 'عبدالله البحثي']],
  ['زينب ال', ['زينب علي البحثي']],
  ['ELODIE', ['Élodie البحثي']],
  ['élo', ['Élodie البحثي']],
  ['٤٢', ['طالب 42 البحثي']],
  ['४२', ['طالب 42 البحثي']],
  ['حمد', []],
  ['عبدالبحثي', []],
  ['احمد هدى', []],
  ['ـــ', []],
  ['\u0000', []],
  ['%', []],
];

test('a person is found by the beginning of any word, however it is spelt', async () => {
  await store([...new Set(found.flatMap(([, names]) => names))]);
  for (const [q, names] of found) {
    if (q === '\u0000') continue;
    assert.equal((await find(q)).toSorted(), names.toSorted(), q);
  }
});

test('a person is found by a new name and address, not by former ones, and not when erased', async () => {
  const person = await buildUser(owner, 'TEACHER', {
    organizationId: tenant.organizationId,
    fullNameAr: 'قيس السابق',
    email: 'former.address@example.org',
  });
  const { token } = tenant.people.ADMIN;
  for (const q of ['قيس', 'السابق', 'former', 'address@', 'FORMER.ADDRESS@example.org']) {
    assert.equal(await find(q), ['قيس السابق'], q);
  }
  const body = { fullNameAr: 'قيس اللاحق', email: 'later@example.org' };
  assert.is((await app.patch(`/api/users/${person.id}`, body, { token })).status, 200);
  for (const q of ['السابق', 'former']) assert.equal(await find(q), [], q);
  for (const q of ['اللاحق', 'later']) assert.equal(await find(q), ['قيس اللاحق'], q);
  await owner('app_user').where({ id: person.id }).update({ fullNameAr: null, email: null, status: 'deleted' });
  assert.is((await owner('user_search_key').where({ userId: person.id })).length, 0);
});

test('the people of another organization are not found', async () => {
  const elsewhere = await buildTenant(app);
  await buildUser(owner, 'TEACHER', { organizationId: elsewhere.organizationId, fullNameAr: 'غريب البحثي' });
  assert.equal(await find('غريب'), []);
});

test('people and students of a class are sorted by folded name, then id, over pages', async () => {
  const other = await buildTenant(app);
  const row = await buildClass(owner, { organizationId: other.organizationId, schoolId: other.school.id });
  const names = ['يوسف', 'إبراهيم', 'أحمد', 'احمد', 'هدى', 'آمنة', 'بدر', 'Zaki', 'adam'];
  const sorted = ['adam', 'Zaki', 'إبراهيم', 'أحمد', 'احمد', 'آمنة', 'بدر', 'هدى', 'يوسف'];
  for (const fullNameAr of names) await buildStudent(owner, row, { fullNameAr });
  const { token } = other.people.ADMIN;
  for (const path of [`/api/classes/${row.id}/students?limit=2`, `/api/users?classId=${row.id}&limit=2`]) {
    assert.equal(await readAll(path, token), sorted, path);
  }
});

const difficult: Readonly<Record<string, string>> = {
  'of 200 marks': '\u0651'.repeat(200),
  'of 200 letters of four bytes': '\u{1e900}'.repeat(200),
  'of ligatures that unfold to eighteen letters': '\ufdfa'.repeat(200),
  'of 100 words': 'ب '.repeat(100).trim(),
  'in Hebrew': 'שרה כהן',
  'in Cyrillic': 'Юлия Йорк',
  'in Greek': 'Σοφία Άννα',
  'in Devanagari': 'सीता देवी',
  'in Thai': 'สมหญิง ใจดี',
  'in Hangul': '김민준',
  'in Han': '王小明',
  'in Ethiopic': 'ሀይለ ገብረ',
};

for (const [kind, fullNameAr] of Object.entries(difficult)) {
  test(`a name ${kind} is stored, listed over pages and found by its beginning`, async () => {
    const other = await buildTenant(app);
    const { token } = other.people.ADMIN;
    const row = await buildClass(owner, { organizationId: other.organizationId, schoolId: other.school.id });
    for (let made = 0; made < 3; made += 1) await buildStudent(owner, row, { fullNameAr });
    assert.equal(await readAll(`/api/users?classId=${row.id}&limit=1`, token), [fullNameAr, fullNameAr, fullNameAr]);
    assert.equal(await readAll(`/api/classes/${row.id}/students?limit=1`, token), [fullNameAr, fullNameAr, fullNameAr]);
    const q = encodeURIComponent([...fullNameAr].slice(0, 3).join(''));
    const { status, body } = await app.get<{ items: Person[] }>(`/api/users?classId=${row.id}&q=${q}`, { token });
    assert.is(status, 200);
    assert.is(body.items.length, kind === 'of 200 marks' ? 0 : 3);
  });
}

test('people who were there before are folded in batches, and found', async () => {
  await owner.transaction(async (trx) => {
    await trx.raw("set local session_replication_role = 'replica'");
    await trx.raw(
      `insert into app_user (organization_id, scope, primary_persona, full_name_ar, created_at)
       select ?, 'ORGANIZATION', 'STUDENT', 'أمجد القديم', now() from generate_series(1, 501)`,
      [tenant.organizationId],
    );
  });
  assert.equal(await find('القديم'), []);
  await foldAll(owner);
  assert.is((await find('امجد القديم')).length, 100);
  assert.is((await owner('app_user').whereNull('nameFolded')).length, 0);
});

test('SUPER administrators find people of all organizations, and of the one that they name', async () => {
  const token = await signIn(app, await buildSuperAdmin(owner));
  const homes = [tenant, await buildTenant(app)];
  for (const [at, { classRow }] of homes.entries())
    await buildStudent(owner, classRow, { fullNameAr: `قحطان ${['الأول', 'الثاني'][at]} الشامل` });
  const both = ['قحطان الأول الشامل', 'قحطان الثاني الشامل'];
  for (const q of ['قحطان', 'الشامل قحطان', 'قحطان ال'])
    assert.equal(await readAll(`/api/users?q=${encodeURIComponent(q)}`, token), both, q);
  for (const [at, { organizationId }] of homes.entries()) {
    const path = `/api/users?organizationId=${organizationId}&q=${encodeURIComponent('الشامل قحطان')}`;
    assert.equal(await readAll(path, token), [both[at]]);
  }
});

const crowdSize = 60_000;

/**
 * Stores students with their folded names and keys, as the triggers would: one in 20 is called محمد, one in 20,000 عصفور.
 */
const crowd = (organizationId: string) =>
  owner.transaction(async (trx) => {
    await trx.raw("set local session_replication_role = 'replica'");
    const { rows } = await trx.raw(
      `insert into app_user (organization_id, scope, primary_persona, full_name_ar, name_folded, created_at)
       select ?, 'ORGANIZATION', 'STUDENT', name, name, now() from (
         select case when n % 20 = 0 then 'محمد ' else 'طالب' || n % 977 || ' ' end
           || case when n % 20000 = 0 then 'عصفور' else 'الاسم' || n % 4999 end as name
         from generate_series(1, ${crowdSize}) n) named
       returning id`,
      [organizationId],
    );
    assert.is(rows.length, crowdSize);
    await trx.raw(
      `insert into user_search_key (organization_id, user_id, key)
       select organization_id, id, replace(name_folded, ' ', '') from app_user where organization_id = :organizationId
         and name_folded like '% %' and scope = 'ORGANIZATION' and email is null
       union select organization_id, id, split_part(name_folded, ' ', 2) from app_user
         where organization_id = :organizationId and name_folded like '% %' and email is null
       on conflict do nothing`,
      { organizationId },
    );
  });

/** Of the 3,000 called محمد about seven each: for the key, the second word and the row. */
const maxPages = 25_000;

/** Returns the first page of the people of whose name each word begins a word, from all names. */
async function searchedByHand(trx: Trx, q: string): Promise<number[]> {
  const people = await trx('app_user').select('id', 'nameFolded').orderBy('nameFolded').orderBy('id');
  return people
    .filter(({ nameFolded }) => q.split(' ').every((word) => ` ${nameFolded}`.includes(` ${word}`)))
    .slice(0, 25)
    .map(({ id }) => id);
}

test('among 60,000 people a search reads indexes alone, whether it finds few or many', async () => {
  const { organizationId } = await buildTenant(app);
  await crowd(organizationId);
  for (const table of ['app_user', 'user_search_key']) await owner.raw(`analyze ${table}`);
  for (const q of ['عصفور', 'محمد', 'محمد عصفور', 'عصفور محمد', 'طالب57 ا', 'ا طالب57', 'محمد ا', 'ا', 'ال ا']) {
    await inContext(app.database.app, { organizationId }, async (trx) => {
      const seen: { readonly sql: string; readonly bindings: readonly (string | number)[] }[] = [];
      const note = (query: (typeof seen)[number]) => seen.push(query);
      trx.on('query', note);
      const { items } = await listUsers(trx, { q });
      trx.off('query', note);
      assert.equal(
        items.map(({ id }) => id),
        await searchedByHand(trx, q),
        q,
      );
      const searches = seen.filter(({ sql }) => sql.includes('user_search_key'));
      assert.is(searches.length, q.includes(' ') ? 3 : 2);
      for (const { sql, bindings } of searches) {
        const { rows } = await trx.raw(`explain (analyze, buffers, timing off) ${sql.replaceAll(/\$\d+/g, '?')}`, [
          ...bindings,
        ]);
        const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
        assert.not.match(plan, /Seq Scan on (app_user|user_search_key)/, `${q}\n${plan}`);
        assert.match(plan, /Index .*user_search_key/, `${q}\n${plan}`);
        assert.not.match(plan, 'Rows Removed by Join Filter', `${q}\n${plan}`);
        const pages = Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1]);
        assert.ok(pages < maxPages, `${q}: ${pages}\n${plan}`);
      }
    });
  }
});

test.run();
