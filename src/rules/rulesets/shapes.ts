// What capabilities say of the documents that they answer for, put together once for whoever reads a text.
import { byName, type Capability } from '#core/module/capability.ts';
import type { ConstantRange } from './engine/reading/constant-ranges.ts';
import { sectionsValidator } from './engine/reading/schema.ts';
import type { Schema } from './engine/reading/schema-words.ts';
import type { ReadingShapes } from './engine/reading/shapes.ts';

export interface RuleShapes {
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

const known = new WeakMap<readonly Capability[], ReadingShapes>();

/** Throws RangeError for a document or a constant that two capabilities answer for. */
export function shapesOf(capabilities: readonly Capability[]): ReadingShapes {
  const shapes = known.get(capabilities) ?? together(capabilities);
  known.set(capabilities, shapes);
  return shapes;
}

function together(capabilities: readonly Capability[]): ReadingShapes {
  const parts = capabilities.flatMap(({ ruleShapes = {} }) => ruleShapes);
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
