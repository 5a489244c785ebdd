// Observations of students by teachers during a lesson: codes, each with an id created by the teacher's device.
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { interventionRules } from '#support/interventions/index.ts';
import type { BatchResult } from '../answers/submit.ts';
import { taughtStates } from '../enums.ts';
import { requireMembers } from '../members.ts';
import { appendLiveEvents, type NewLiveEvent } from '../rows/events.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { requireLiveState } from '../rows/live-lesson.ts';
import type { LiveObservationInput } from './schemas.ts';
import { appendObservations, knownObservationIds, type NewObservation } from './store.ts';

interface ObservationContext {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * Stores observations. A known id is a duplicate in every state. The caller holds the lock. Throws NOT_FOUND,
 * PERMISSION_DENIED, VALIDATION_ERROR `not_in_class` or `unknown_sub_skill`, CONFLICT `invalid_transition`, and
 * ENGINE_UNAVAILABLE when a sub-skill is sent.
 */
export async function recordObservations(
  ctx: ObservationContext,
  row: LiveLessonRow,
  inputs: readonly LiveObservationInput[],
): Promise<BatchResult> {
  const { trx, actor, now } = ctx;
  const fresh = await newObservations(trx, row, inputs);
  if (fresh.length === 0) return { accepted: 0, duplicates: inputs.length };
  const named = fresh.map(({ at, input: { studentId } }) => ({ studentId, field: `observations.${at}.studentId` }));
  await requireMembers(ctx, row, named);
  await requireSubSkills(ctx, fresh);
  requireLiveState(row, taughtStates);
  const observations = fresh.map(({ input }) => observationOf(input, actor));
  await appendObservations(trx, row, observations, now);
  await appendLiveEvents(trx, row, observations.map(recorded), now);
  return { accepted: fresh.length, duplicates: inputs.length - fresh.length };
}

interface IndexedObservation {
  /** Index in the batch. */
  readonly at: number;
  readonly input: LiveObservationInput;
}

async function newObservations(
  trx: Trx,
  row: LiveLessonRow,
  inputs: readonly LiveObservationInput[],
): Promise<IndexedObservation[]> {
  const ids = inputs.map(({ clientObservationId }) => clientObservationId.toLowerCase());
  const known = await knownObservationIds(trx, row, ids);
  return inputs.flatMap((input, at) => {
    const id = ids[at] ?? '';
    return known.has(id) || ids.indexOf(id) < at ? [] : [{ at, input: { ...input, clientObservationId: id } }];
  });
}

async function requireSubSkills(
  { services, trx, now }: ObservationContext,
  fresh: readonly IndexedObservation[],
): Promise<void> {
  if (fresh.every(({ input }) => input.subSkillCode === undefined)) return;
  const { profiles } = interventionRules((await services.rules.at(trx, now)).rules);
  const isKnown = (code: string | undefined) => code === undefined || profiles.catalogue.byCode.has(code);
  const unknown = fresh.find(({ input }) => !isKnown(input.subSkillCode));
  if (unknown) throw invalid(`observations.${unknown.at}.subSkillCode`, 'unknown_sub_skill');
}

const observationOf = (input: LiveObservationInput, { userId }: Actor): NewObservation => ({
  clientObservationId: input.clientObservationId,
  studentId: input.studentId,
  observationCode: input.observationCode,
  subSkillCode: input.subSkillCode ?? null,
  observedBy: userId,
});

const recorded = ({ studentId, observationCode, subSkillCode }: NewObservation): NewLiveEvent => ({
  type: 'observation_recorded',
  studentId,
  data: { studentId, observationCode, subSkillCode },
});
