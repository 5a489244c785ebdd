// Creates a queue from a finished diagnostic, or returns the existing one.

import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { lockRows } from '#core/platform/locks.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { findStudent, User } from '#identity/people/index.ts';
import { windowAt } from '#rules/catalogue/index.ts';
import { DiagnosticEstimate, type DiagnosticSession } from '../diagnostics/store.ts';
import { loadCorrections } from '../evidence/corrections/load.ts';
import { present } from '../evidence/engine/corrections.ts';
import { activeMeasurement, type MeasurementRules } from '../rules.ts';
import { seenItems } from '../seen-items.ts';
import type { RequestServices } from '../services.ts';
import { endQueue } from './complete.ts';
import { chooseTargets } from './engine/targets.ts';
import { readPracticeValues } from './engine/values.ts';
import { recordOf } from './queue.ts';
import { loadQueue, type PinnedPractice, PracticeQueue, type QueueRecord } from './store.ts';

export interface Seeded extends QueueRecord {
  /** Whether the queue is new; false when this diagnostic already has an active one. */
  readonly isNew: boolean;
}

/**
 * Creates the queue and replaces an older active one. Throws CONFLICT `not_finished` for a diagnostic that is not
 * FINISHED, `voided` for one that does not count.
 */
export async function seedQueue(
  services: RequestServices,
  trx: Trx,
  session: DiagnosticSession,
  now: Date,
): Promise<Seeded> {
  if (session.status !== 'FINISHED') throw conflict('not_finished', 'Only a finished diagnostic can be practised.');
  const { studentId } = session;
  await lockRows('account', 'change', User.query(trx).where({ id: studentId })).select('id');
  const { voidAt } = await loadCorrections(trx, session.organizationId, [studentId]);
  if (voidAt('diagnostic', session.id, present) !== null) throw conflict('voided', 'This diagnostic was voided.');
  const active = await lockRows(
    'practice',
    'change',
    PracticeQueue.query(trx).where({ studentId, status: 'ACTIVE' }),
  ).first();
  if (active?.diagnosticSessionId === session.id) return { ...(await loadQueue(trx, active)), isNew: false };
  if (active) await endQueue(services, trx, await recordOf(services, trx, active, now), 'REPLACED', now);
  const queue = await insertQueue(trx, session, await activeMeasurement(services, trx, now), now);
  await services.training.escalate(trx, queue, now);
  return { queue, served: [], responses: [], isNew: true };
}

async function insertQueue(
  trx: Trx,
  session: DiagnosticSession,
  rules: MeasurementRules,
  now: Date,
): Promise<PracticeQueue> {
  const { organizationId, studentId, gradeBand } = session;
  const { row: student } = await findStudent(trx, studentId);
  const values = readPracticeValues(rules.bundle);
  const estimates = await DiagnosticEstimate.query(trx).where({ sessionId: session.id });
  const order = rules.catalogue.subSkills.map(({ code }) => code);
  const since = new Date(now.getTime() - rules.values.seenDays * dayMs);
  const seen = await seenItems(trx, organizationId, { ids: [studentId] }, since);
  return PracticeQueue.query(trx).insertAndFetch({
    id: newId(),
    organizationId,
    studentId,
    diagnosticSessionId: session.id,
    status: 'ACTIVE',
    schoolYear: windowAt(student, rules, now).schoolYear,
    gradeBand,
    targets: chooseTargets(estimates, order, values),
    seenItemIds: [...(seen.get(studentId) ?? [])],
    itemBudget: values.itemBudget,
    pinned: pinnedVersions(rules),
    seededAt: now.toISOString(),
  });
}

const pinnedVersions = ({ bundle, bank, values }: MeasurementRules): PinnedPractice => ({
  catalogueVersion: `catalogue/subskills@${bundle.versions['catalogue/subskills']}`,
  bankVersion: `content/item-bank@${bank.version}`,
  calibrationVersion: values.calibrationVersion,
  measurementVersion: `scoring/measurement@${bundle.versions['scoring/measurement']}`,
});
