// Notifies the administrators of an organization that a benchmark of readings has changed.
import { adminsOf, benchmarkProfileSwap, notice, notify } from '#messaging/notifications/index.ts';
import { benchmarkSwapped } from './events.ts';

export const swapNotices = notify({
  name: 'notify-benchmark-swapped',
  to: [benchmarkSwapped],
  async notices(trx, organizationId, events) {
    const recipients = await adminsOf(trx, organizationId);
    return new Map(
      events.map(({ id, payload }) => {
        const to = { recipients, source: { type: 'benchmark_profile', id: payload.benchmarkProfileKey } };
        return [id, [notice(benchmarkProfileSwap, payload, to)]];
      }),
    );
  },
});
