// Warm-ups of a student, and their replay.
import { startWarmup } from '#assessment/measurement/warmup/start.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { Aim, Entries, Entry } from '../../requests/entry.ts';

/** Own warm-ups only: a warm-up of another student is out of reach. */
const ownWarmup = { slots: ['tenant'], expect: { 'STUDENT elsewhere': 403 } } as const satisfies Entry;

/** Starts a warm-up of the target's student. Returns an unused id when there is no such student. */
async function warmupAt({ at: { tenant }, app }: Aim): Promise<string> {
  const student = await app.database.owner('app_user').where({ id: tenant.studentId }).first('id');
  if (!student) return newId();
  await endOpen(app, tenant.studentId);
  const started = await inContext(app.database.app, { organizationId: tenant.organizationId }, (trx) =>
    startWarmup(app.services, trx, tenant.studentId, 'TRAINING', app.clock.now()),
  );
  if (!started) throw new Error('The warm-up has no items.');
  return started.session.id;
}

async function endOpen({ database }: Aim['app'], studentId: number): Promise<void> {
  await database
    .owner('warmup_session')
    .where({ studentId })
    .whereIn('status', ['RUNNING', 'PAUSED'])
    .update({ status: 'EXPIRED' });
}

const onOwn = (body: object): Entry => ({
  ...ownWarmup,
  request: async (aim) => ({ params: { id: await warmupAt(aim) }, body }),
});

export const warmupEntries: Entries = {
  startWarmup: {
    request: async ({ app, caller }) => {
      if (caller) await endOpen(app, caller.id);
      return { body: { sessionType: 'TRAINING' } };
    },
  },
  recordWarmupEvents: onOwn({ events: [{ seq: 1, type: 'pause', atMs: 0 }] }),
  completeWarmup: onOwn({}),
  resumeWarmup: onOwn({}),
  dryRunWarmupReplay: {
    slots: ['tenant'],
    request: async (aim) => ({ body: { warmupSessionId: await warmupAt(aim) } }),
  },
};
