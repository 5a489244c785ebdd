// What the other capabilities may use of the registry of checks.
import './services.ts';

export { qaCapability } from './capability.ts';
export { catalogueOf, fixedOf, type ProbeCatalogue } from './catalogue.ts';
export { checksAt } from './checks/in-force.ts';
export { foundOf, type Probe, type ProbeFinding, reportedDirectly } from './probes/probe.ts';
export { checkFields } from './schemas.ts';
