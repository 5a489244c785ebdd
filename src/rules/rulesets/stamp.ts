// How a result names the rules that decided it.
import type { Versions } from './activations.ts';

/** `SSR@1`, of a family with one document, named like the family. */
export const ruleStamp = (versions: Versions, family: string): string =>
  `${family.toUpperCase()}@${versions[`${family}/${family}` as keyof Versions]}`;
