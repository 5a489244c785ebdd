// What capabilities say of the documents that they answer for, put together once for whoever reads a text.
import { byName, type Capability } from '#core/module/capability.ts';
import type { ConstantRange } from './engine/reading/constant-ranges.ts';
import type { DocumentValidators } from './engine/reading/document-validators.ts';
import { sectionsValidator } from './engine/reading/schema.ts';
import type { Schema } from './engine/reading/schema-words.ts';

export interface DocumentSchemas {
  /**
   * The sections that a document of values may and must hold beside `meta`, by `family/key`; `family/*` is for every key of a
   * family. One that nobody names is read with its `meta` and `constants` checked only.
   */
  readonly sections?: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  /** Sections that such a document may hold besides. */
  readonly optionalSections?: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  /** What each constant may be, whatever document quotes it. */
  readonly constants?: Readonly<Record<string, ConstantRange>>;
}

const known = new WeakMap<readonly Capability[], DocumentValidators>();

/** Throws RangeError for a document or a constant that two capabilities answer for. */
export function documentValidators(capabilities: readonly Capability[]): DocumentValidators {
  const shapes = known.get(capabilities) ?? together(capabilities);
  known.set(capabilities, shapes);
  return shapes;
}

function together(capabilities: readonly Capability[]): DocumentValidators {
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
