// What the administration of language rules brings to the service.
import type { Capability } from '#core/module/capability.ts';
import { languageRuleRoutes } from './routes.ts';

export const languageRulesCapability: Capability = { name: 'language-rules', routes: languageRuleRoutes };
