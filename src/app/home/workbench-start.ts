// What the sign-in page of the workbench needs before the sign-in.
import Type from 'typebox';
import { ok } from '#core/http/answers.ts';
import { object } from '#core/http/schemas.ts';
import { publicRoute } from '#core/module/route.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { Organization, superAdminExists } from '#identity/people/index.ts';
import { demo } from '../demo/index.ts';

export const workbenchStartRoutes = [
  publicRoute({
    method: 'get',
    path: '/api/workbench/start',
    operation: 'getWorkbenchStart',
    summary: 'What the sign-in page of the workbench offers: registration, Google, a demo beside it',
    tag: 'identity',
    demo: 'read',
    answers: {
      200: object({
        registrationOpen: Type.Boolean(),
        bootstrapTokenRequired: Type.Boolean({ description: 'Whether the registration needs `X-Bootstrap-Token`.' }),
        googleSignIn: Type.Boolean(),
        demo: Type.Boolean({ description: 'Whether the demo organization has public logins.' }),
      }),
    },
    run: async ({ services }) => ok(await workbenchStart(services)),
  }),
];

const workbenchStart = ({ config, db, google }: Services) =>
  inContext(db, 'SUPER', async (trx) => {
    const registrationOpen = !(await superAdminExists(trx));
    return {
      registrationOpen,
      bootstrapTokenRequired: registrationOpen && config.bootstrapToken !== undefined,
      googleSignIn: google !== undefined,
      demo:
        !config.production && (await Organization.query(trx).findOne({ slug: demo.slug, isDemo: true })) !== undefined,
    };
  });
