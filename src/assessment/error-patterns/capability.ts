// What error patterns contribute to the service. The skill-status capability declares their personal data and rules.
import type { Capability } from '#core/module/capability.ts';
import { errorPatternAlert } from './store.ts';
import { hintTexts } from './texts.ts';

export const errorPatternsCapability: Capability = {
  name: 'error-patterns',
  alerts: [errorPatternAlert],
  texts: [hintTexts],
};
