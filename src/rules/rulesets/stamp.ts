// Stamps name the rules that decided a result.
import type { Versions } from './activations.ts';

/** Returns a stamp such as `SSR@1` for a family with one document of the same name. */
export const ruleStamp = (versions: Versions, family: string): string =>
  `${family.toUpperCase()}@${versions[`${family}/${family}` as keyof Versions]}`;
