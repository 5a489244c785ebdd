// What is known of the documents that are read, from whoever answers for them.
import type { Validate } from '#core/platform/pure/json-schema.ts';
import type { ConstantRange } from './constant-ranges.ts';

export interface DocumentValidators {
  /** Checks of sections by `family/key`; `family/*` is for every key of a family. */
  readonly sections: ReadonlyMap<string, Validate>;
  /** By the id of the constant. */
  readonly constants: ReadonlyMap<string, ConstantRange>;
}
