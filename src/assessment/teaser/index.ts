// What the composition root needs of the teaser.
export { teaserCapability } from './capability.ts';
