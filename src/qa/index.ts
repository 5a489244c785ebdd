// What the other capabilities may use of the registry of checks.
export { qaCapability } from './capability.ts';
