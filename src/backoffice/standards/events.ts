// The events of benchmarks.
import Type from 'typebox';
import { nullable, object } from '#core/http/schemas.ts';
import { appendEvents, eventKind, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { Swap } from '../workbench/index.ts';
import { benchmarkFamily } from './profiles/cell.ts';

const Version = Type.Integer({ minimum: 1 });

export const benchmarkActivated = eventKind({
  topic: 'standards.benchmark_activated',
  summary: 'A benchmark has come into force, in place of the version before it where there was one.',
  payload: object({
    benchmarkProfileKey: Type.String({ minLength: 1, maxLength: 80 }),
    fromVersion: nullable(Version),
    toVersion: Version,
  }),
});

/** One event for each organization, so that its people are notified. */
export const benchmarkSwapped = eventKind({
  topic: 'standards.benchmark_swapped',
  summary:
    'A benchmark that serves the organization has come into force, in place of the version before it where there was one.',
  payload: object({
    benchmarkProfileKey: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    fromVersion: nullable(Version),
    toVersion: Version,
  }),
});

/** Runs in the transaction of every activation: from these routes, from the workbench, of a schedule, or of a rollback. */
export async function tellSwaps(trx: Trx, swaps: readonly Swap[], moment: Date): Promise<void> {
  const activated = swaps.flatMap(({ name, from, to }) => {
    if (!name.startsWith(`${benchmarkFamily}/`)) return [];
    return [{ benchmarkProfileKey: name.slice(benchmarkFamily.length + 1), fromVersion: from, toVersion: to }];
  });
  if (activated.length === 0) return;
  await appendEvents(
    trx,
    moment,
    activated.map((payload) => newEvent(benchmarkActivated, platformOrganizationId, payload)),
  );
  const served = await organizationsServed(trx, activated);
  const events = activated.flatMap((payload) =>
    (served.get(payload.benchmarkProfileKey) ?? []).map((id) => newEvent(benchmarkSwapped, id, payload)),
  );
  await appendEvents(trx, moment, events, 'later');
}

/** Organizations by key: those with all schools in the benchmark's country, or all for a benchmark of every country. */
async function organizationsServed(
  trx: Trx,
  activated: readonly { readonly benchmarkProfileKey: string; readonly toVersion: number }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await rowsOf<{ key: string; ids: string[] }>(
    trx,
    `select t.key, array_agg(o.id order by o.id) as ids
     from unnest(:keys::text[], :versions::integer[]) as t (key, version)
     join rule_version v on v.family = :family and v.key = t.key and v.version = t.version
     cross join lateral (select v.document::jsonb ->> 'country' as country) d
     join organization o on o.id <> :platform and (d.country is null or o.country = d.country)
     group by t.key`,
    {
      ...{ family: benchmarkFamily, platform: platformOrganizationId },
      keys: activated.map(({ benchmarkProfileKey }) => benchmarkProfileKey),
      versions: activated.map(({ toVersion }) => toVersion),
    },
  );
  return new Map(rows.map(({ key, ids }) => [key, ids]));
}
