// What the anonymous short test contributes to the service.
import type { Capability } from '#core/module/capability.ts';
import { teaserTexts } from './engine/texts.ts';
import { readTeaserValues } from './engine/values.ts';
import { teaserRoutes } from './routes.ts';
import { teaserJobs } from './starts/jobs.ts';

export const teaserCapability: Capability = {
  name: 'teaser',
  routes: teaserRoutes,
  ...teaserJobs,
  ruleReaders: [readTeaserValues],
  texts: [teaserTexts],
  audited: { teaser_lead: { id: 'session_id', fields: [] } },
  retention: [
    { kind: 'teaserSessions', table: 'teaser_session', since: 'started_at' },
    { kind: 'teaserLeads', table: 'teaser_lead', since: 'updated_at' },
  ],
};
