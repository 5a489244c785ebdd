// Pattern history, behaviour logs and rule layers: order, pages, filters, and contents.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { buildSuperAdmin, signIn } from '../../../harness/factories.ts';
import { shippedStamp } from '../../../harness/rules.ts';
import { answersOf } from '../evidence.ts';
import { type Student, useShell } from '../shell.ts';

const test = suite('history of the engine');
const shell = useShell(test);
const { app, http } = shell;
let token: string;
let student: Student;

interface PageBody {
  readonly items: readonly Record<string, unknown>[];
  readonly nextCursor: string | null;
}

test.before(async () => {
  token = await signIn(app, await buildSuperAdmin(app.database.owner));
  student = await shell.student();
  for (const day of [10, 11, 12]) {
    const answers = answersOf({ LK_SOUND: 'CCCC', DEC_WORD: 'CTTC' }, day);
    await shell.diagnostic(student, answers, {
      sessionId: `session-${day}`,
      finishedAt: `2026-01-${day}T07:00:00.000Z`,
    });
    await shell.recompute(student);
    app.clock.advance(1_000);
  }
});

const read = async (path: string) => {
  const { status, body } = await http.get<PageBody>(`/api/sse/students/${student.id}/${path}`, { token });
  assert.is(status, 200, path);
  return body;
};

async function allPages(path: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: PageBody = await read(`${path}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

test('pattern history lists a row for each appended snapshot, newest first', async () => {
  const { items, nextCursor } = await read('pattern-history');
  assert.is(nextCursor, null);
  assert.equal(
    items.map(({ subSkillCode }) => subSkillCode),
    ['DEC_WORD', 'LK_SOUND', 'DEC_WORD', 'LK_SOUND', 'DEC_WORD', 'LK_SOUND'],
  );
  const moments = items.map(({ asOf }) => String(asOf));
  assert.equal(moments, moments.toSorted().reverse());
});

test('an entry of pattern history has the classification, its rule and its codes', async () => {
  const { items } = await read('pattern-history?limit=1');
  const { runId, asOf, ...entry } = items[0] ?? {};
  assert.type(runId, 'string');
  assert.is(asOf, '2026-01-15T08:00:02.000Z');
  assert.equal(entry, {
    subSkillCode: 'DEC_WORD',
    cisRuleId: 'CIS-01',
    pacRuleId: 'PAC-12',
    decision: 'confirm',
    reason: 'WEAKNESS_PATTERN',
    patternState: 'persistent',
    leadingMicroPattern: 'm1',
    codeCounts: { CORRECT_SECURE: 6, ERROR_TARGET_PATTERN: 6 },
    ruleVersion: shippedStamp('pac'),
  });
});

test('pages contain every row once, also while new rows arrive', async () => {
  const first = await read('pattern-history?limit=4');
  assert.is(first.items.length, 4);
  await shell.diagnostic(student, answersOf({ VOC_MEANING: 'CCCC' }), { finishedAt: '2026-01-13T07:00:00.000Z' });
  await shell.recompute(student);
  const second = await read(`pattern-history?limit=4&cursor=${first.nextCursor}`);
  assert.equal(
    second.items.map(({ subSkillCode }) => subSkillCode),
    ['DEC_WORD', 'LK_SOUND'],
  );
  assert.is((await allPages('pattern-history?limit=2')).length, 7);
});

test('pattern history of one sub-skill', async () => {
  const items = await allPages('pattern-history?limit=2&subSkillCode=LK_SOUND');
  assert.equal([...new Set(items.map(({ subSkillCode }) => subSkillCode))], ['LK_SOUND']);
  assert.is(items.length, 3);
});

test('behaviour logs come newest first, page by page', async () => {
  const items = await allPages('behavior-logs?limit=1');
  assert.equal(
    items.slice(1).map(({ sessionId }) => sessionId),
    ['session-12', 'session-11', 'session-10'],
  );
  assert.equal(items[3], {
    source: 'diagnostic',
    sessionId: 'session-10',
    at: '2026-01-10T07:00:00.000Z',
    flags: ['RBM-00'],
    facts: {},
    ruleVersion: 'RBM@1',
  });
});

test('a foreign cursor and a limit out of range are refused', async () => {
  for (const path of ['pattern-history?cursor=x', 'behavior-logs?cursor=WzFd', 'pattern-history?limit=101']) {
    const { status } = await http.get(`/api/sse/students/${student.id}/${path}`, { token });
    assert.is(status, 422, path);
  }
});

interface LayersBody {
  readonly layers: readonly {
    readonly order: number;
    readonly family: string;
    readonly ruleVersion: string;
    readonly activatedAt: string;
    readonly document: { readonly meta: { readonly family: string } };
  }[];
}

const layersOf = async (query = '') =>
  (await http.get<LayersBody>(`/api/sse/rule-layers${query}`, { token })).body.layers;

test('rule layers come in pipeline order with their documents', async () => {
  const layers = await layersOf();
  const shipped = ['dth', 'adr', 'cis', 'bnd', 'pac', 'ssr', 'ddr', 'ddr-lc', 'dsm', 'esc', 'rbm', 'subflag'];
  const families = layers.map(({ family }) => family);
  assert.equal(
    families,
    shipped.filter((family) => families.includes(family)),
  );
  assert.ok(families.length >= 11);
  for (const { order, family, ruleVersion, document } of layers) {
    assert.is(order, shipped.indexOf(family) + 1);
    assert.is(ruleVersion, shippedStamp(family));
    assert.is(document.meta.family, family);
  }
});

test('one layer by its family; an unknown family is refused', async () => {
  const layers = await layersOf('?family=ddr-lc');
  assert.equal(
    layers.map(({ family }) => family),
    ['ddr-lc'],
  );
  const { status } = await http.get('/api/sse/rule-layers?family=rti', { token });
  assert.is(status, 422);
});

test('a version keeps the moment of its activation while others change around it', async () => {
  const before = await layersOf('?family=ssr');
  await inContext(app.database.owner, 'SUPER', async (trx) => {
    const [shipped] = await trx('rule_bundle').select('versions');
    const at = new Date('2025-06-01T00:00:00.000Z');
    await trx('rule_bundle').insert({
      id: 'other',
      versions: { ...shipped.versions, 'elsewhere/x': 2 },
      createdAt: at,
    });
    await trx('rule_bundle').insert({ id: 'same', versions: shipped.versions, createdAt: at });
    for (const [bundleId, activeFrom] of [
      ['other', at],
      ['same', new Date('2025-07-01T00:00:00.000Z')],
    ]) {
      await trx('rule_activation').insert({
        bundleId,
        activeFrom,
        kind: 'activate',
        reason: 'policy_change',
        createdAt: at,
      });
    }
  });
  assert.equal(await layersOf('?family=ssr'), before);
});

test.run();
