// Asserts that the API description documents every status that a test file received.
import * as assert from 'uvu/assert';
import { describedStatuses } from '#core/http/description/openapi.ts';
import { routesOf } from '#core/module/capability.ts';
import type { Services } from '#core/module/services.ts';

/** The client closed the connection before the response. */
const givenUp = 499;

export async function checkDescribed({ capabilities, metrics }: Services): Promise<void> {
  const described = new Map(routesOf(capabilities).map((route) => [route.operation, describedStatuses(route)]));
  const answered = (await metrics.registry.getSingleMetric('http_request_seconds')?.get())?.values ?? [];
  const undescribed = answered.filter(({ labels }) => {
    const status = Number(labels.status);
    return status !== givenUp && described.get(String(labels.operation))?.has(status) === false;
  });
  const named = new Set(undescribed.map(({ labels }) => `${labels.operation} ${labels.status}`));
  assert.equal([...named], [], 'answers that the API description does not name');
}
