// What the other capabilities may use of the registry of checks.
import './services.ts';

export { qaCapability } from './capability.ts';
export { type Catalogue, catalogueOf, fixedOf } from './catalogue.ts';
export { type Finding, foundOf, type Probe, reportedDirectly } from './probes/probe.ts';
export { checkFields } from './schemas.ts';
