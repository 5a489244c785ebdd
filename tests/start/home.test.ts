// The page that a browser shows at the printed address.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { demo, sandbox } from '#app/demo/index.ts';
import { buildOrganization } from '../harness/factories.ts';
import { useApp } from '../harness/http.ts';

const test = suite('home');
const app = useApp(test);

const page = async (path: string) => {
  const { status, headers, body } = await app.get(path);
  return { status, type: headers.get('content-type'), text: String(body) };
};

test('without a demo the page describes the service, links to the API and the README, and shows no login', async () => {
  const { status, type, text } = await page('/');
  assert.is(status, 200);
  assert.is(type, 'text/html; charset=utf-8');
  assert.match(text, 'measures how children');
  assert.match(text, 'href="/api/docs"');
  assert.not.match(text, 'example.org');
});

test('every link of the page works', async () => {
  const { text } = await page('/');
  const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link).filter((link) => link !== '/readyz');
  assert.ok(links.length >= 4);
  for (const link of links) assert.is((await page(link)).status, 200, link);
  assert.match((await page('/home/README.md')).text, /^# Literacy/);
});

test('with the demo it shows who may sign in, as text and not as markup', async () => {
  for (const { slug, isDemo } of [demo, sandbox]) {
    await buildOrganization(app.database.owner, { slug, isDemo });
  }
  const { text } = await page('/');
  assert.match(text, 'teacher1.demo@example.org');
  assert.match(text, 'student1.sandbox@example.org');
});

test('a missing file is 404', async () => {
  assert.is((await page('/home/other.md')).status, 404);
});

test.run();
