// Moves each part of a schema that occurs several times to `$defs` and refers to it by `$ref`. ajv generates code for each
// occurrence: the schema of explanations has thirteen times as many occurrences as parts, and compiling it blocked the process
// for two seconds.
import { type Keywords, mapSubschemas } from './map-subschemas.ts';

/** A part of fewer schemas is as cheap as a reference to it. */
const minSchemas = 6;

interface Part {
  occurrences: number;
  /** The number of schemas in it, itself included. */
  schemas: number;
}

/** Returns a schema that accepts the same values. Two occurrences are the same part if they are the same object. */
export function hoistRefs(schema: object): object {
  const parts = partsOf(schema as Keywords);
  const names = new Map<Keywords, string>();
  const definitions: Record<string, Keywords> = {};
  const isShared = (part: Keywords) => {
    const { occurrences, schemas } = parts.get(part) ?? { occurrences: 0, schemas: 0 };
    return occurrences > 1 && schemas >= minSchemas;
  };
  const hoisted = (part: Keywords): Keywords => {
    if (!isShared(part)) return mapSubschemas(part, hoisted);
    const name = names.get(part) ?? `part${names.size}`;
    if (!names.has(part)) {
      names.set(part, name);
      definitions[name] = mapSubschemas(part, hoisted);
    }
    return { $ref: `#/$defs/${name}` };
  };
  const whole = mapSubschemas(schema as Keywords, hoisted);
  return names.size === 0 ? schema : { ...whole, $defs: { ...(whole.$defs as Keywords), ...definitions } };
}

function partsOf(schema: Keywords): ReadonlyMap<Keywords, Part> {
  const parts = new Map<Keywords, Part>();
  const visit = (one: Keywords): Part => {
    const known = parts.get(one);
    if (known) {
      known.occurrences += 1;
      return known;
    }
    const part = { occurrences: 1, schemas: 1 };
    parts.set(one, part);
    mapSubschemas(one, (member) => {
      part.schemas += visit(member).schemas;
      return member;
    });
    return part;
  };
  visit(schema);
  return parts;
}
