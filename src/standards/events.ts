// What benchmarks tell others.
import Type from 'typebox';
import { nullable, object } from '../http/schemas.ts';
import { appendEvents, eventKind, happened } from '../kernel/events.ts';
import type { Trx } from '../platform/db.ts';
import { platformOrganizationId } from '../platform/pure/platform-organization.ts';
import type { Swap } from '../workbench/index.ts';
import { family } from './profiles/cell.ts';

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

/** In the transaction of the activation, whoever asked for it: here, in the workbench, by a plan or a step back. */
export async function tellSwaps(trx: Trx, swaps: readonly Swap[], moment: Date): Promise<void> {
  const events = swaps.flatMap(({ name, from, to }) => {
    if (!name.startsWith(`${family}/`)) return [];
    const payload = { benchmarkProfileKey: name.slice(family.length + 1), fromVersion: from, toVersion: to };
    return [happened(benchmarkActivated, platformOrganizationId, payload)];
  });
  await appendEvents(trx, moment, events);
}
