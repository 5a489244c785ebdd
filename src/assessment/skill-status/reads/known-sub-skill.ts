// A filter by sub-skill names one that the catalogue in force has: an unknown one would quietly find nothing.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { pipelineOf } from '../rules/pipelines.ts';

/** VALIDATION_ERROR; undefined, no filter, is fine. ENGINE_UNAVAILABLE where no catalogue is in force. */
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
