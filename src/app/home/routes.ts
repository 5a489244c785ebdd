// Routes of the start page and its files.
import fs from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import type { Answer } from '#core/http/answers.ts';
import { named, object } from '#core/http/schemas.ts';
import { publicRoute } from '#core/module/route.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { Organization } from '#identity/people/index.ts';
import { demo, loginsOf, sandbox } from '../demo/index.ts';
import { type HomeFacts, homePage, homeStyle } from './page.ts';

const tag = 'operations';
const Html = named('Html', Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'text/html' }));
const Text = named('Text', Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'text/plain' }));
const readmeFile = path.resolve(import.meta.dirname, '../../../README.md');

const files: Readonly<Record<string, { readonly type: string; readonly read: () => string | Buffer }>> = {
  'style.css': { type: 'text/css', read: () => homeStyle },
  'README.md': { type: 'text/plain', read: () => fs.readFileSync(readmeFile) },
};

const bytes = (body: string | Buffer, type: string): Answer<200, Uint8Array> => ({
  status: 200,
  body: Buffer.from(body),
  headers: { 'content-type': `${type}; charset=utf-8` },
});

export const homeRoutes = [
  publicRoute({
    method: 'get',
    path: '/',
    operation: 'getHome',
    summary: 'What this is and how to look around, for a person with a browser',
    tag,
    demo: 'read',
    answers: { 200: Html },
    run: async ({ services }) => bytes(homePage(await homeFacts(services)), 'text/html'),
  }),
  publicRoute({
    method: 'get',
    path: '/home/:file',
    operation: 'getHomeFile',
    summary: 'The style of that page, and the README',
    tag,
    demo: 'read',
    params: object({ file: Type.String({ maxLength: 20, pattern: '^[A-Za-z]+\\.(?:css|md)$' }) }),
    answers: { 200: Text },
    run: async ({ params }) => {
      const file = Object.hasOwn(files, params.file) ? files[params.file] : undefined;
      if (!file) throw notFound();
      return bytes(file.read(), file.type);
    },
  }),
];

const notes = { [demo.slug]: 'to look at, not to change', [sandbox.slug]: 'to try things out' };

/** Returns the public logins of seeded organizations; none in production. */
async function homeFacts({ config, db }: Services): Promise<HomeFacts> {
  const address = config.publicUrl ?? `http://${config.host}:${config.port}`;
  if (config.production) return { address, organizations: [] };
  const seeded = await inContext(db, 'SUPER', async (trx) =>
    Organization.query(trx).whereIn(
      'slug',
      [demo, sandbox].map(({ slug }) => slug),
    ),
  );
  const isThere = ({ slug }: { readonly slug: string }) => seeded.some((found) => found.slug === slug);
  if (!seeded.some(({ slug, isDemo }) => slug === demo.slug && isDemo)) return { address, organizations: [] };
  return {
    address,
    organizations: [demo, sandbox]
      .filter(isThere)
      .map((spec) => ({ name: spec.name, note: notes[spec.slug] ?? '', logins: loginsOf(spec) })),
  };
}
