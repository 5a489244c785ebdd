// What error patterns bring to the service. Their rows are told together with the engine's, and so are their rules.
import type { Capability } from '#core/module/capability.ts';
import { errorPatternAlert } from './store.ts';
import { hintTexts } from './texts.ts';

export const errorPatternsCapability: Capability = {
  name: 'error-patterns',
  alerts: [errorPatternAlert],
  texts: [hintTexts],
};
