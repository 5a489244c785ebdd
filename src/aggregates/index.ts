// What other capabilities may use of counts of schools and organizations.
export { aggregatesCapability } from './capability.ts';
