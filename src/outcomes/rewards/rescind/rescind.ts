// A teacher of the class rescinds a badge that was awarded by mistake. Rows are added, none is deleted.
import type { Static } from 'typebox';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { badBody, conflict } from '#core/platform/errors.ts';
import { lockWritableStudents } from '#identity/people/index.ts';
import { interventionRules } from '#support/interventions/index.ts';
import { takeBackBadge } from '../ledger/rescind.ts';
import type { BadgeRow } from '../ledger/rows.ts';
import type { RescindBody, RescindedBadge } from './schemas.ts';

interface RescindRequest {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: { readonly userId: number };
  readonly scope: BadgeRow;
  readonly body: Static<typeof RescindBody>;
  readonly now: Date;
}

/** The scope of override codes that this operation accepts. */
const codeScope = 'gamification_rescind';

/** Throws 400 for a code of another scope, CONFLICT `already_rescinded`, and ENGINE_UNAVAILABLE. */
export async function rescindBadge({
  services,
  trx,
  actor,
  scope,
  body: { overrideCode },
  now,
}: RescindRequest): Promise<Static<typeof RescindedBadge>> {
  const { codes } = interventionRules((await services.rules.at(trx, now)).rules);
  const fault = codes.faultOf(overrideCode, codeScope);
  if (fault) throw badBody('overrideCode', fault);
  await lockWritableStudents(trx, scope.organizationId, [scope.studentId]);
  const moment = services.clock.now();
  const rescinded = await takeBackBadge(trx, scope, { overrideCode, rescindedBy: actor.userId, now: moment });
  if (!rescinded) throw conflict('already_rescinded', 'The badge was taken back before.');
  return { studentBadgeId: scope.id, status: 'rescinded', ...rescinded };
}
