// What counts of schools and organizations bring to the service.
import type { Capability } from '../kernel/capability.ts';
import { readAggregateRules } from './rules/read-rules.ts';
import { bandTexts } from './rules/texts.ts';

export const aggregatesCapability: Capability = {
  name: 'aggregates',
  texts: [bandTexts],
  ruleFamilies: [{ family: 'band-descriptions', needsImpact: false }],
  ruleReaders: [readAggregateRules],
};
