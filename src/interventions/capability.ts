// What profiles, bundles, groups and assignments bring to the service: so far their rules, and who reads them.
import type { Capability } from '../kernel/capability.ts';
import { readInterventionRules } from './rules/read-rules.ts';
import { interventionWires } from './rules/wires.ts';
import { interventionTexts } from './texts.ts';

const families = ['profile', 'bundle', 'cluster', 'rti', 'fidelity'];

export const interventionsCapability: Capability = {
  name: 'interventions',
  ruleFamilies: families.map((family) => ({ family, needsImpact: true })),
  ruleWires: interventionWires,
  ruleReaders: [readInterventionRules],
  texts: [interventionTexts],
};
