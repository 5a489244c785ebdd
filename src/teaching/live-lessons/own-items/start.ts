// Starting a run of own items for one student.

import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { schoolYearOf } from '#rules/catalogue/index.ts';
import { interventionRules, knownOf, recommendedProfileOf } from '#support/interventions/index.ts';
import type { BlueprintItem } from '../../lesson-blueprints/index.ts';
import { ownItemsOf } from '../engine/own-items.ts';
import { requireMembers } from '../members.ts';
import { appendLiveEvents } from '../rows/events.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { requireLiveState } from '../rows/live-lesson.ts';
import { liveItems } from '../rows/playlist.ts';
import { answeredBy } from '../rows/responses.ts';
import { ismChanged, stopRuns } from './runs.ts';
import { LiveOwnRun } from './store.ts';

interface RunContext {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

interface RunRequest {
  readonly studentId: number;
  readonly itemRefs?: readonly string[];
}

export interface StartedRun {
  readonly run: LiveOwnRun;
  /** Items in the order of serving. */
  readonly items: readonly BlueprintItem[];
}

/**
 * Starts a run and stops the student's previous one. Returns undefined, without a change, when no item is left for the student.
 * The caller holds the lock. Throws NOT_FOUND, PERMISSION_DENIED, VALIDATION_ERROR `not_in_class` or `unknown_item`, and
 * CONFLICT `invalid_transition`.
 */
export async function startOwnRun(
  ctx: RunContext,
  row: LiveLessonRow,
  request: RunRequest,
): Promise<StartedRun | undefined> {
  const { trx, actor, now } = ctx;
  const { studentId } = request;
  await requireMembers(ctx, row, [{ studentId, field: 'studentId' }]);
  const playlist = await liveItems(trx, row);
  requireListed(playlist, request);
  requireLiveState(row, ['live']);
  const itemRefs = await selectOwnItems(ctx, row, playlist, request);
  if (itemRefs.length === 0) return undefined;
  await stopRuns(trx, row, now, [studentId]);
  const run = await LiveOwnRun.query(trx).insertAndFetch({
    id: newId(),
    organizationId: row.organizationId,
    liveSessionId: row.id,
    studentId,
    playlistNo: row.playlistNo,
    itemRefs,
    state: 'running',
    startedBy: actor.userId,
    startedAt: now.toISOString(),
  });
  await appendLiveEvents(trx, row, [ismChanged(run, 'running')], now);
  const byRef = new Map(playlist.map((item) => [item.itemRef, item]));
  return { run, items: itemRefs.flatMap((ref) => byRef.get(ref) ?? []) };
}

function requireListed(playlist: readonly BlueprintItem[], { itemRefs = [] }: RunRequest): void {
  const known = new Set(playlist.map(({ itemRef }) => itemRef));
  const unknown = itemRefs.findIndex((ref) => !known.has(ref));
  if (unknown !== -1) throw invalid(`itemRefs.${unknown}`, 'unknown_item');
}

async function selectOwnItems(
  ctx: RunContext,
  row: LiveLessonRow,
  playlist: readonly BlueprintItem[],
  request: RunRequest,
) {
  const { studentId, itemRefs: named } = request;
  return ownItemsOf({
    playlist: playlist.map(({ itemRef }) => itemRef),
    answered: (await answeredBy(ctx.trx, row, [studentId]))(studentId),
    named,
    halted: named !== undefined && (await isHalted(ctx, row, studentId)),
  });
}

async function isHalted(
  { services, trx, now }: RunContext,
  { organizationId, timeZone }: LiveLessonRow,
  studentId: number,
): Promise<boolean> {
  const { profiles } = interventionRules((await services.rules.at(trx, now)).rules);
  const yearFrom = schoolYearOf(now.toISOString(), timeZone, profiles.catalogue.schoolYearStart).from;
  const known = await knownOf(trx, organizationId, [{ studentId, yearFrom }]);
  return known.some((one) => recommendedProfileOf(one).outcome === 'do_not_decide_yet');
}
