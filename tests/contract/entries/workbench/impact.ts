// Impact simulations of drafts on an organization's students.
import { newId } from '#core/platform/ids.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { documentName, type RuleDocument } from '#rules/rulesets/index.ts';
import { startFor } from '../../../backoffice/workbench/impact/world.ts';
import { buildSuperAdmin } from '../../../harness/factories.ts';
import type { Aim, Entries } from '../../requests/entry.ts';
import { purgeAskers } from '../../rows/open-jobs.ts';

/** Creates a draft with the content in force, under the next version number. */
async function openDraft({ app }: Aim) {
  await purgeAskers(app);
  const { database, services, clock } = app;
  const now = clock.now();
  const { rules } = await services.rules.at(database.owner, now);
  const active = rules.documents.find((one) => documentName(one) === 'ssr/ssr') as RuleDocument;
  const document = canonicalJson({ ...active, meta: { ...active.meta, version: active.meta.version + 1 } });
  const author = await buildSuperAdmin(database.owner);
  const row = {
    ...{ id: newId(), family: 'ssr', key: 'ssr', state: 'draft', document, sha256: sha256Hex(document) },
    ...{ baseVersion: active.meta.version, cases: '[]', level: 'patch', authorUserId: author.id },
    ...{ createdAt: now, updatedAt: now },
  };
  await database.owner('rule_draft').insert(row);
  return row;
}

/** Returns a waiting impact simulation of the target's organization, or an unused id when there is none. */
async function waitingImpact(aim: Aim): Promise<string> {
  const { app, at } = aim;
  const { organizationId } = at.tenant;
  if (!(await app.database.owner('organization').where({ id: organizationId }).first('id'))) return newId();
  const draft = await openDraft(aim);
  const order = { draft, scope: { organizationId }, requestedBy: draft.authorUserId };
  return startFor(app.services, order, app.clock.now());
}

export const workbenchImpactEntries: Entries = {
  startImpact: {
    slots: ['tenant'],
    request: async (aim) => {
      const { id: draftId, family, key } = await openDraft(aim);
      return { params: { family, key, draftId }, body: { scope: { organizationId: aim.at.tenant.organizationId } } };
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
