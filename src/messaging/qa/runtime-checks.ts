// Runs the runtime checks each minute; one that fails does not stop the others.
import type { Services } from '#core/module/services.ts';
import { eachInTurn } from '#core/platform/pure/lists/each-in-turn.ts';
import type { Queues } from '#core/platform/queue/queue.ts';
import { catalogueOf } from './catalogue.ts';
import { checksAt } from './checks/in-force.ts';
import type { QaCheck } from './checks/read-checks.ts';
import { recordFindings } from './log/record-findings.ts';
import { find } from './probes/find.ts';
import type { Search } from './probes/probe.ts';

/** Queues of the processes that have run once. */
const startedQueues = new WeakSet<Queues>();

/** Throws the first failure after all checks have run, ENGINE_UNAVAILABLE without rules in force. */
export async function runRuntimeChecks(services: Services, queues: Queues): Promise<void> {
  const now = services.clock.now();
  const { items } = await checksAt(services, services.db, now);
  const catalogue = catalogueOf(services.capabilities);
  const isFirst = !startedQueues.has(queues);
  startedQueues.add(queues);
  await eachInTurn(
    items,
    async (check) => {
      const probe = catalogue.get(check.qaCheckId);
      if (check.kind !== 'runtime' || !check.enabled || !probe?.of || (isFirst && probe.waits)) return;
      await lookFor(services, queues, check, probe, now);
    },
    (error, { qaCheckId }) => services.log.error({ err: error, checkId: qaCheckId }, 'a check could not be made'),
  );
}

async function lookFor(services: Services, queues: Queues, check: QaCheck, probe: Search, now: Date): Promise<void> {
  const { findings } = await find(probe, { services, now, threshold: check.threshold ?? 0 }, null, queues);
  await recordFindings(services, check, findings);
}
