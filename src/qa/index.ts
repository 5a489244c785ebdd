// What the other capabilities may use of the registry of checks.
import './services.ts';

export { qaCapability } from './capability.ts';
export { catalogue, checkIds } from './catalogue.ts';
export { type Finding, foundOf, type Probe } from './probes/probe.ts';
export { checkFields } from './schemas.ts';
