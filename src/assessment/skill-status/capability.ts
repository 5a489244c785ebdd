// What the skill-status engine contributes to the service: the five layers, their recomputation and their reads.
import type { Capability } from '#core/module/capability.ts';
import { dryRunRoutes } from './dry-run/routes.ts';
import { factCategories } from './engine/fact-categories.ts';
import { skillStatusContracts } from './engine/value-contracts.ts';
import { skillStatusExplainer } from './explain/explainer.ts';
import { behaviourExplainer, subFlagExplainer } from './explain/logs/explainer.ts';
import { explanationTexts } from './explain/sentence-texts.ts';
import { nextDataRoutes } from './next-data/routes.ts';
import { skillStatusSection } from './personal-data.ts';
import { skillStatusProbes } from './qa.ts';
import { skillStatusRoutes } from './reads/routes.ts';
import { macroUpdated } from './recompute/events.ts';
import { skillStatusJobs } from './recompute/jobs.ts';
import { recomputeParked } from './recompute/queue.ts';
import { newestWindowEnd } from './results/newest-window.ts';
import { documentSchemas } from './rules/document-schemas.ts';
import { ruleFamilies } from './rules/pipelines.ts';
import { readSkillStatusRules } from './rules/read-rules.ts';
import { errorPatternSimulator } from './simulate/error-pattern-simulator.ts';
import { sessionSimulator } from './simulate/session-simulator.ts';
import { catalogueTexts } from './texts.ts';

export const skillStatusCapability: Capability = {
  name: 'skill-status',
  documentSchemas,
  factCategories,
  probes: skillStatusProbes,
  routes: [...skillStatusRoutes, ...nextDataRoutes, ...dryRunRoutes],
  events: [macroUpdated],
  ...skillStatusJobs,
  alerts: [recomputeParked],
  personalData: [skillStatusSection],
  // The catalogue belongs to these families, because changes of it change the engine's results.
  ruleFamilies: ['catalogue', ...ruleFamilies].map((family) => ({ family })),
  valueContracts: skillStatusContracts,
  ruleReaders: [readSkillStatusRules],
  simulators: [sessionSimulator, errorPatternSimulator],
  texts: [catalogueTexts, explanationTexts],
  windowEndReaders: [newestWindowEnd],
  explainers: [skillStatusExplainer, behaviourExplainer, subFlagExplainer],
};
