// The input of an engine on the command line: cases, and the rules of this checkout.
import path from 'node:path';
import { jsonValidator } from '#core/platform/pure/json-schema.ts';
import { loadNewestBundle } from '#rules/rulesets/files.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';

export interface Batch<Case> {
  readonly cases: readonly Case[];
}

/** Returns the schema of `{cases: […]}`. */
export const batchSchema = (oneCase: object) => ({
  type: 'object',
  required: ['cases'],
  properties: { cases: { type: 'array', items: oneCase } },
});

/**
 * Returns a function that returns its value, or throws Error with the path of the first fault. `named` are parameters of the
 * fault with which the message ends.
 */
export function inputReader<Input>(schema: object, ...named: readonly string[]): (value: unknown) => Input {
  const faultsIn = jsonValidator(() => schema);
  return (value) => {
    const [fault] = faultsIn(value);
    if (!fault) return value as Input;
    const details = named.map((name) => String(fault.params[name] ?? '')).join('');
    throw new Error(`input${fault.instancePath} ${fault.message ?? 'is not valid'} ${details}`.trim());
  };
}

/** Returns the newest version of each shipped document. */
export const newestRules = (): Promise<RuleBundle> =>
  loadNewestBundle(path.resolve(import.meta.dirname, '../../rules'));
