// Every capability whose stored results can be explained. A new kind of stamp is one more explainer here, and its view
// beside the others.
import Type from 'typebox';
import { named } from '../../http/schemas.ts';
import type { Services } from '../../kernel/services.ts';
import { trendExplainer } from '../../measurement/index.ts';
import type { Trx } from '../../platform/db.ts';
import { notFound } from '../../platform/errors.ts';
import { behaviourExplainer, skillStatusExplainer, subFlagExplainer } from '../../skill-status/index.ts';

const explainers = [skillStatusExplainer, behaviourExplainer, subFlagExplainer, trendExplainer];

/** A stored result: exact versions, facts, trace, flip distance, and the tree down to the responses. */
export const ExplainedView = named(
  'Explained',
  Type.Union([skillStatusExplainer.view, behaviourExplainer.view, subFlagExplainer.view, trendExplainer.view]),
);

/** `kind:id`. Throws NOT_FOUND for an unknown kind, a malformed id, and a row out of sight. */
export async function explainStamp(trx: Trx, services: Services, stampId: string) {
  const [, kind = '', id = ''] = /^([a-z-]+):(.+)$/.exec(stampId) ?? [];
  const explainer = explainers.find(({ kinds }) => kinds.includes(kind));
  const explained = await explainer?.explain(trx, services, kind, id);
  if (!explained) throw notFound();
  return explained;
}
