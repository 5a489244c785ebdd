// What teachers observe of students while they teach: closed words, each with an id of the teacher's device.
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { interventionRules } from '#support/interventions/index.ts';
import type { Taken } from '../answers/submit.ts';
import { taughtStates } from '../enums.ts';
import { requireMembers } from '../members.ts';
import { appendLiveEvents, type NewLiveEvent } from '../rows/events.ts';
import { requireState } from '../rows/require-state.ts';
import type { LiveSessionRow } from '../rows/session.ts';
import type { LiveObservationInput } from './schemas.ts';
import { appendObservations, knownObservationIds, type NewObservation } from './store.ts';

interface Asked {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

/**
 * The row is locked. An id that the session has is a duplicate whatever else is said with it, in every state. Throws NOT_FOUND,
 * PERMISSION_DENIED, VALIDATION_ERROR `not_in_class` or `unknown_sub_skill`, CONFLICT `invalid_transition`, and
 * ENGINE_UNAVAILABLE where a sub-skill is named.
 */
export async function recordObservations(
  ctx: Asked,
  row: LiveSessionRow,
  inputs: readonly LiveObservationInput[],
): Promise<Taken> {
  const { trx, actor, now } = ctx;
  const fresh = await freshOnes(trx, row, inputs);
  if (fresh.length === 0) return { accepted: 0, duplicates: inputs.length };
  const named = fresh.map(({ at, input: { studentId } }) => ({ studentId, field: `observations.${at}.studentId` }));
  await requireMembers(ctx, row, named);
  await requireSubSkills(ctx, fresh);
  requireState(row, taughtStates);
  const observations = fresh.map(({ input }) => observationOf(input, actor));
  await appendObservations(trx, row, observations, now);
  await appendLiveEvents(trx, row, observations.map(recorded), now);
  return { accepted: fresh.length, duplicates: inputs.length - fresh.length };
}

interface Fresh {
  /** Its place in the batch. */
  readonly at: number;
  readonly input: LiveObservationInput;
}

async function freshOnes(trx: Trx, row: LiveSessionRow, inputs: readonly LiveObservationInput[]): Promise<Fresh[]> {
  const ids = inputs.map(({ clientObservationId }) => clientObservationId.toLowerCase());
  const known = await knownObservationIds(trx, row, ids);
  return inputs.flatMap((input, at) => {
    const id = ids[at] ?? '';
    return known.has(id) || ids.indexOf(id) < at ? [] : [{ at, input: { ...input, clientObservationId: id } }];
  });
}

async function requireSubSkills({ services, trx, now }: Asked, fresh: readonly Fresh[]): Promise<void> {
  if (fresh.every(({ input }) => input.subSkillCode === undefined)) return;
  const { profiles } = interventionRules((await services.rules.at(trx, now)).rules);
  const isKnown = (code: string | undefined) => code === undefined || profiles.catalogue.byCode.has(code);
  const unknown = fresh.find(({ input }) => !isKnown(input.subSkillCode));
  if (unknown) throw invalid(`observations.${unknown.at}.subSkillCode`, 'unknown_sub_skill');
}

const observationOf = (input: LiveObservationInput, { userId }: Actor): NewObservation => ({
  ...{ clientObservationId: input.clientObservationId, studentId: input.studentId },
  ...{ observationCode: input.observationCode, subSkillCode: input.subSkillCode ?? null, observedBy: userId },
});

const recorded = ({ studentId, observationCode, subSkillCode }: NewObservation): NewLiveEvent => ({
  type: 'observation_recorded',
  studentId,
  data: { studentId, observationCode, subSkillCode },
});
