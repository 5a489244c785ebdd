// Serves what was asked for: many students of one organization together, first without a lock. Only those of whom something
// has to be written are locked and asked again; where that fails each of them alone, so that one who fails holds up no other.

import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext } from '#core/platform/db.ts';
import { lockSupport } from '../../interventions/index.ts';
import { evaluateStudents, studentsWithNews } from './evaluate.ts';
import { noteFailure } from './failures.ts';
import { closeRequests, dueRequests, openRequests, studentsAtOnce } from './requests.ts';

/** Those of the students whose request is open and may be tried now. */
export async function serveRequests(
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
): Promise<void> {
  const due = await inContext(services.db, { organizationId }, (trx) =>
    dueRequests(trx, organizationId, studentIds, services.clock.now()),
  );
  await evaluateAll(
    services,
    organizationId,
    due.map(({ studentId }) => studentId),
  );
}

/** Evaluates these students, whether it was asked for or not. The first failure is thrown when all have had their turn. */
export async function evaluateAll(
  services: Services,
  organizationId: string,
  studentIds: readonly number[],
): Promise<void> {
  const failures: unknown[] = [];
  for (let from = 0; from < studentIds.length; from += studentsAtOnce) {
    const some = studentIds.slice(from, from + studentsAtOnce);
    await together(services, organizationId, some).catch(async (error: unknown) => {
      services.log.warn({ err: error, organizationId, studentIds: some }, 'students are evaluated alone');
      for (const studentId of some) {
        await together(services, organizationId, [studentId]).catch(async (alone: unknown) => {
          failures.push(alone);
          await noteFailure(services, organizationId, studentId, alone);
        });
      }
    });
  }
  if (failures.length > 0) throw failures[0];
}

/** What is asked for is read before anything else, so that nothing asked for later is taken as served. */
async function together(services: Services, organizationId: string, studentIds: readonly number[]): Promise<void> {
  const { open, news } = await inReadOnlyContext(services.db, { organizationId }, async (trx) => ({
    open: await openRequests(trx, organizationId, studentIds),
    news: await studentsWithNews(trx, services, { organizationId, studentIds, now: services.clock.now() }),
  }));
  const unchanged = open.filter(({ studentId }) => !news.has(studentId));
  if (unchanged.length > 0) {
    await inContext(services.db, { organizationId }, (trx) => closeRequests(trx, organizationId, unchanged));
  }
  if (news.size > 0) await writeNews(services, organizationId, [...news]);
}

async function writeNews(services: Services, organizationId: string, studentIds: readonly number[]): Promise<void> {
  await inContext(services.db, { organizationId }, async (trx) => {
    await lockSupport(trx, organizationId, studentIds);
    const open = await openRequests(trx, organizationId, studentIds);
    await evaluateStudents(trx, services, { organizationId, studentIds, now: services.clock.now() });
    await closeRequests(trx, organizationId, open);
  });
}
