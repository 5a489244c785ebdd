// What other parts of the service may use of what families read.

export { parentsCapability } from './capability.ts';
