// Impact simulations of changes on an organization's students.
import { newId } from '#core/platform/ids.ts';
import { documentName, type RuleDocument } from '#rules/rulesets/index.ts';
import { startFor } from '../../../backoffice/workbench/impact/world.ts';
import { buildChange } from '../../../harness/changes.ts';
import type { Aim, Entries } from '../../requests/entry.ts';
import { purgeAskers } from '../../rows/open-jobs.ts';

/** Creates a change with the content in force, under the next version number. */
async function openChange({ app }: Aim) {
  await purgeAskers(app);
  const { database, services, clock } = app;
  const now = clock.now();
  const { rules } = await services.rules.at(database.owner, now);
  const active = rules.documents.find((one) => documentName(one) === 'ssr/ssr') as RuleDocument;
  const next = { ...active, meta: { ...active.meta, version: active.meta.version + 1 } };
  return buildChange(database.owner, { documents: [next], state: 'draft', at: now });
}

/** Returns a waiting impact simulation of the target's organization, or an unused id when there is none. */
async function waitingImpact(aim: Aim): Promise<string> {
  const { app, at } = aim;
  const { organizationId } = at.tenant;
  if (!(await app.database.owner('organization').where({ id: organizationId }).first('id'))) return newId();
  const change = await openChange(aim);
  const order = { change, scope: { organizationId }, requestedBy: change.authorUserId };
  return startFor(app.services, order, app.clock.now());
}

export const workbenchImpactEntries: Entries = {
  liveImpact: {
    slots: ['tenant'],
    request: ({ at }) => ({ body: { scope: { organizationId: at.tenant.organizationId } } }),
  },
  getFactDistribution: {
    slots: ['tenant'],
    request: ({ at }) => ({
      params: { family: 'bnd', key: 'bnd', fact: 'rawRate' },
      query: { organizationId: at.tenant.organizationId },
    }),
  },
  startChangeImpact: {
    slots: ['tenant'],
    request: async (aim) => {
      const { id: changeId } = await openChange(aim);
      return { params: { changeId }, body: { scope: { organizationId: aim.at.tenant.organizationId } } };
    },
  },
  getImpact: {
    slots: ['tenant'],
    request: async (aim) => ({ params: { jobId: await waitingImpact(aim) } }),
  },
  cancelImpact: {
    slots: ['tenant'],
    request: async (aim) => ({ params: { jobId: await waitingImpact(aim) }, body: {} }),
  },
};
