// The route with the public demo logins; it returns 404 in production.
import Type from 'typebox';
import { ok } from '#core/http/answers.ts';
import { named, object } from '#core/http/schemas.ts';
import { publicRoute } from '#core/module/route.ts';
import { inContext } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { Organization, PersonaName } from '#identity/people/index.ts';
import { demo, loginsOf } from './logins.ts';

const DemoAccess = named(
  'DemoAccess',
  object({
    organization: object({ name: Type.String(), slug: Type.String() }),
    logins: Type.Array(object({ primaryPersona: PersonaName, email: Type.String(), password: Type.String() })),
    readOnly: Type.Literal(true),
  }),
);

export const demoRoutes = [
  publicRoute({
    method: 'get',
    path: '/api/demo/access',
    operation: 'getDemoAccess',
    summary: 'Logins of the read-only demo organization, where one was made',
    tag: 'demo',
    demo: 'read',
    answers: { 200: DemoAccess },
    errors: ['NOT_FOUND'],
    run: async ({ services }) => {
      if (services.config.production) throw notFound();
      const found = await inContext(services.db, 'SUPER', async (trx) =>
        Organization.query(trx).findOne({ slug: demo.slug, isDemo: true }),
      );
      if (!found) throw notFound();
      const { name, slug } = found;
      return ok({ organization: { name, slug }, logins: loginsOf(demo), readOnly: true as const });
    },
  }),
];
