// The student's warm-up, and its replay.
import { startWarmup } from '#assessment/measurement/warmup/start.ts';
import { inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { Aim, Entries, Entry } from '../../requests/entry.ts';

/** Own warm-ups only: another student's is out of reach. */
const ownWarmup = { slots: ['place'], expect: { 'STUDENT elsewhere': 403 } } as const satisfies Entry;

/** A new warm-up of the target's student; no row's id where there is no such student. */
async function warmupAt({ at: { place }, app }: Aim): Promise<string> {
  const student = await app.database.owner('app_user').where({ id: place.studentId }).first('id');
  if (!student) return newId();
  await endOpen(app, place.studentId);
  const started = await inContext(app.database.app, { organizationId: place.organizationId }, (trx) =>
    startWarmup(app.services, trx, place.studentId, 'TRAINING', app.clock.now()),
  );
  if (!started) throw new Error('nothing to warm up with');
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
    slots: ['place'],
    request: async (aim) => ({ body: { warmupSessionId: await warmupAt(aim) } }),
  },
};
