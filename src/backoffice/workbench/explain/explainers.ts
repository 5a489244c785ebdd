// The explainers of all capabilities: stored results of their kinds can be explained.
import Type from 'typebox';
import { named } from '#core/http/schemas.ts';
import type { Capability } from '#core/module/capability.ts';
import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import type { Explainer } from '#rules/rulesets/index.ts';

/** Returns explainers from the last capability to the first, so that the API lists what builds on others first. */
const explainersOf = (capabilities: readonly Capability[]): Explainer[] =>
  [...capabilities].reverse().flatMap(({ explainers = [] }) => explainers);

/** The schema of an explanation: exact versions, facts, trace, flip distance, and the tree down to the responses. */
export const explainedView = (capabilities: readonly Capability[]) =>
  Type.Unsafe<object>(named('Explained', Type.Union(explainersOf(capabilities).map(({ view }) => view))));

/** `stampId`: `kind:id`. Throws NOT_FOUND for an unknown kind, a malformed id, and a row that is not visible. */
export async function explainStamp(reading: ReadTransaction, services: Services, stampId: string): Promise<object> {
  const [, kind = '', id = ''] = /^([a-z-]+):(.+)$/.exec(stampId) ?? [];
  const explainer = explainersOf(services.capabilities).find(({ kinds }) => kinds.includes(kind));
  const explained = await explainer?.explain(reading, services, kind, id);
  if (!explained) throw notFound();
  return explained;
}
