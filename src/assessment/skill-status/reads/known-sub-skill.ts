// Validates a sub-skill filter against the catalogue in force, since an unknown code would silently find nothing.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { pipelineOf } from '../rules/pipelines.ts';

/**
 * Throws VALIDATION_ERROR for an unknown code; undefined means no filter. Throws ENGINE_UNAVAILABLE when no catalogue
 * is in force.
 */
export async function requireKnownSubSkill(
  { rules }: Pick<Services, 'rules'>,
  trx: Trx,
  subSkillCode: string | undefined,
  now: Date,
): Promise<void> {
  if (subSkillCode === undefined) return;
  const { catalogue } = pipelineOf((await rules.at(trx, now)).rules);
  if (!catalogue.byCode.has(subSkillCode)) throw invalid('subSkillCode', 'is unknown');
}
