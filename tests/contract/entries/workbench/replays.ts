// Replays of stored runs, and the engine's dry run.

import { orderJobs } from '#core/long-jobs/store.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { Aim, Entries } from '../../requests/entry.ts';
import { purgeAskers } from '../../rows/open-jobs.ts';

const span = { from: '2025-09-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' };

/** Returns a replay of the target's organization, or an unused id when there is none. */
async function replayAt({ at: { tenant }, app }: Aim): Promise<string> {
  const { organizationId } = tenant;
  const { owner } = app.database;
  if (!(await owner('organization').where({ id: organizationId }).first('id'))) return newId();
  const input = { trigger: 'request', scope: { organizationId }, ...span, through: 0 };
  const order = { kind: 'replay', organizationId, subject: 'request', input, requestedBy: null } as const;
  const [id = ''] = await inContext(owner, { organizationId }, (trx) => orderJobs(trx, app.clock.now(), [order]));
  return id;
}

/** Returns a failed replay of the target's organization, or an unused id when there is none. */
async function failedReplay(aim: Aim): Promise<string> {
  await purgeAskers(aim.app);
  const id = await replayAt(aim);
  const { organizationId } = aim.at.tenant;
  await inContext(aim.app.database.owner, 'SUPER', (trx) =>
    trx('rule_job').where({ organizationId, id }).update({ state: 'failed', issue: 'INTERNAL' }),
  );
  return id;
}

export const workbenchReplayEntries: Entries = {
  listRuleJobs: {},
  retryRuleJob: {
    slots: ['tenant'],
    request: async (aim) => ({ params: { jobId: await failedReplay(aim) }, body: {} }),
  },
  startReplay: {
    slots: ['tenant'],
    request: async ({ at, app }) => {
      await purgeAskers(app);
      return { body: { scope: { classId: at.tenant.classId }, ...span } };
    },
  },
  listReplays: {},
  getReplay: {
    slots: ['tenant'],
    request: async (aim) => ({ params: { id: await replayAt(aim) } }),
  },
  dryRunSseReplay: {
    slots: ['tenant'],
    request: ({ at }) => ({ body: { studentId: at.tenant.studentId, evidenceWindow: span } }),
  },
};
