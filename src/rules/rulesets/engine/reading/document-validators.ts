// The validators of documents, as the capabilities declare them.
import type { Validate } from '#core/platform/pure/json-schema.ts';
import type { ConstantRange } from './constant-ranges.ts';

export interface DocumentValidators {
  /** Validators of sections by `family/key`; `family/*` applies to every key of a family. */
  readonly sections: ReadonlyMap<string, Validate>;
  /** By the id of the constant. */
  readonly constants: ReadonlyMap<string, ConstantRange>;
}
