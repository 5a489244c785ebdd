// The schemas that capabilities declare for their documents, compiled once.
import { byName, type Capability } from '#core/module/capability.ts';
import type { ConstantRange } from './engine/reading/constant-ranges.ts';
import type { DocumentValidators } from './engine/reading/document-validators.ts';
import { sectionsValidator } from './engine/reading/schema.ts';
import type { Schema } from './engine/reading/schema-builders.ts';

export interface DocumentSchemas {
  /**
   * The required sections of a value document beside `meta`, by `family/key`; `family/*` applies to every key of a
   * family. Of a document that no capability declares, only `meta` and `constants` are checked.
   */
  readonly sections?: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  /** Optional sections of these documents. */
  readonly optionalSections?: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  /** The range of each constant, in every document that quotes it. */
  readonly constants?: Readonly<Record<string, ConstantRange>>;
}

const known = new WeakMap<readonly Capability[], DocumentValidators>();

/** Returns the validators. Throws RangeError when two capabilities declare the same document or constant. */
export function documentValidators(capabilities: readonly Capability[]): DocumentValidators {
  const validators = known.get(capabilities) ?? compileValidators(capabilities);
  known.set(capabilities, validators);
  return validators;
}

function compileValidators(capabilities: readonly Capability[]): DocumentValidators {
  const parts = capabilities.flatMap(({ documentSchemas = {} }) => documentSchemas);
  const sections = parts.flatMap(({ sections: own = {} }) => Object.entries(own));
  const optional = Object.fromEntries(parts.flatMap(({ optionalSections = {} }) => Object.entries(optionalSections)));
  const constants = parts.flatMap(({ constants: own = {} }) => Object.entries(own));
  return {
    sections: valuesOf(
      'documents of rules',
      sections.map(([name, one]) => [name, sectionsValidator(one, optional[name])] as const),
    ),
    constants: valuesOf('constants', constants),
  };
}

const valuesOf = <Value>(sort: string, entries: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> =>
  new Map([...byName(sort, entries, ([name]) => name)].map(([name, [, value]]) => [name, value]));
