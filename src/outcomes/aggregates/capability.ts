// The aggregates capability: routes, jobs, rules and texts of counts of schools and organizations.
import { type Capability, mergeJobs } from '#core/module/capability.ts';
import { aggregateProbes } from './qa.ts';
import { aggregateRoutes } from './reads/routes.ts';
import { releaseJobs } from './releases/jobs.ts';
import { rollupJobs } from './rollups/jobs.ts';
import { documentSchemas } from './rules/document-schemas.ts';
import { readAggregateRules } from './rules/read-rules.ts';
import { bandTexts } from './rules/texts.ts';

export const aggregatesCapability: Capability = {
  name: 'aggregates',
  documentSchemas,
  probes: aggregateProbes,
  routes: aggregateRoutes,
  ...mergeJobs([rollupJobs, releaseJobs]),
  retention: [
    { table: 'org_daily_class', until: 'kept_until' },
    { table: 'org_daily_rollup', until: 'kept_until' },
  ],
  texts: [bandTexts],
  ruleFamilies: [{ family: 'band-descriptions' }],
  ruleReaders: [readAggregateRules],
};
