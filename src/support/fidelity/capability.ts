// What counting deliveries brings to the service.
import type { Capability } from '#core/module/capability.ts';
import { fidelityExplainer } from './again/explainer.ts';
import { countsOfRuns } from './again/of-runs.ts';
import { documentSchemas } from './engine/document-schemas.ts';
import { factCategories } from './engine/fact-categories.ts';
import { fidelityChanged } from './events.ts';
import { fidelityJobs } from './jobs.ts';
import { fidelitySection } from './personal-data.ts';
import { fidelityRoutes } from './reads/routes.ts';
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
