// The administration of language rules as a capability.
import type { Capability } from '#core/module/capability.ts';
import { languageRuleRoutes } from './routes.ts';

export const languageRulesCapability: Capability = { name: 'language-rules', routes: languageRuleRoutes };
