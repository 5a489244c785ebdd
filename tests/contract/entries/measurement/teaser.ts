// The public teaser. Any caller with an access token is refused.

import { startTeaser } from '#assessment/teaser/start.ts';
import { newId } from '#core/platform/ids.ts';
import { createLogger } from '#core/platform/process/logger.ts';
import { callers } from '../../operations/access.ts';
import type { Aim, Entries, Entry } from '../../requests/entry.ts';

const log = createLogger('silent');

const withoutToken = (success: number): Required<Pick<Entry, 'expect'>> => ({
  expect: Object.fromEntries(callers.map((caller) => [caller, caller === 'nobody' ? success : 422])),
});

/** Starts a session from a new client address, so that the limit of the test's own address is not used up. */
async function session({ app }: Aim) {
  const visitor = { grade: 1, source: undefined, clientIp: newId() };
  const moment = { now: app.clock.now(), log };
  const { sessionId, token, items } = await startTeaser(app.services, visitor, moment, (started) => started);
  return { sessionId, token, responses: items.map(({ id }) => ({ itemId: id, selectedOptionIndex: 0 })) };
}

export const teaserEntries: Entries = {
  startTeaser: { ...withoutToken(201), request: () => ({ body: { grade: 1 } }) },
  finishTeaser: {
    ...withoutToken(200),
    request: async (aim) => {
      const { sessionId, token, responses } = await session(aim);
      return { params: { id: sessionId }, body: { token, responses } };
    },
  },
  eraseTeaserLeads: { request: () => ({ body: { email: 'nobody@example.org' } }) },
  saveTeaserLead: {
    ...withoutToken(201),
    request: async (aim) => {
      const { sessionId, token } = await session(aim);
      return { body: { sessionId, token, email: 'parent@example.org' } };
    },
  },
};
