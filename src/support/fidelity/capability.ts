// The capability value of fidelity.
import type { Capability } from '#core/module/capability.ts';
import { documentSchemas } from './engine/document-schemas.ts';
import { factCategories } from './engine/fact-categories.ts';
import { fidelityChanged } from './events.ts';
import { fidelityJobs } from './jobs.ts';
import { fidelitySection } from './personal-data.ts';
import { fidelityRoutes } from './reads/routes.ts';
import { fidelityExplainer } from './replay/explainer.ts';
import { countsOfRuns } from './replay/replay-runs.ts';
import { fidelitySimulator } from './simulate/simulator.ts';

export const fidelityCapability: Capability = {
  name: 'fidelity',
  documentSchemas,
  factCategories,
  routes: fidelityRoutes,
  events: [fidelityChanged],
  ...fidelityJobs,
  personalData: [fidelitySection],
  simulators: [fidelitySimulator],
  explainers: [fidelityExplainer],
  runReplayers: [countsOfRuns],
};
