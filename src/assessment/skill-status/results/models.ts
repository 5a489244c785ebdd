// The models of runs and of the results of sub-skills and domains.
import { modelOf } from '#core/platform/model.ts';
import type { StoredRun } from './stored-input.ts';
import type { DomainRow, SkillRow } from './tables.ts';

export const SkillRun = modelOf<StoredRun>('sse_run', { id: ['organizationId', 'id', 'schoolYear'] });

export const SkillStatusSnapshot = modelOf<SkillRow>('sse_skill_snapshot', {
  id: ['organizationId', 'id', 'schoolYear'],
});

export const DomainStatusSnapshot = modelOf<DomainRow>('sse_domain_snapshot', {
  id: ['organizationId', 'id', 'schoolYear'],
});
