// Standards as a capability: benchmark profiles, their life cycle, and which one is in force.
import type { Capability } from '#core/module/capability.ts';
import { benchmarkActivated, benchmarkSwapped, tellSwaps } from './events.ts';
import { swapNotices } from './notices.ts';
import { benchmarkProfileRoutes } from './profiles/routes.ts';
import { standardRoutes } from './routes.ts';

export const standardsCapability: Capability = {
  name: 'standards',
  routes: [...standardRoutes, ...benchmarkProfileRoutes],
  events: [benchmarkActivated, benchmarkSwapped],
  reactions: [swapNotices],
  rulesActivated: tellSwaps,
  audited: {
    benchmark_profile: {
      id: 'id',
      fields: ['key', 'country', 'grade', 'measure_code', 'season', 'cuts', 'source', 'title_ar', 'version_id'],
    },
  },
};
