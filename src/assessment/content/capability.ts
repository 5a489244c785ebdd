// What content contributes to the service: audio recordings.
import type { Capability } from '#core/module/capability.ts';
import { audioRoutes } from './items/audio/routes.ts';

export const contentCapability: Capability = { name: 'content', routes: audioRoutes };
