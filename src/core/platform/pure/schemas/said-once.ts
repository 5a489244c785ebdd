// A schema with each part that stands in several places said once, under `$defs`. ajv makes code for each place: the
// schema of explanations has thirteen times as many places as parts, and took two seconds of a process that answers
// nobody meanwhile.
import { type Keywords, withMembers } from './members.ts';

/** Parts of fewer schemas are as cheap as a reference to them. */
const leastSchemas = 6;

interface Part {
  places: number;
  /** How many schemas it is made of, itself included. */
  schemas: number;
}

/** A schema that accepts the same values. A part is the same where it is the same object. */
export function saidOnce(schema: object): object {
  const parts = partsOf(schema as Keywords);
  const names = new Map<Keywords, string>();
  const definitions: Record<string, Keywords> = {};
  const isShared = (part: Keywords) => {
    const { places, schemas } = parts.get(part) ?? { places: 0, schemas: 0 };
    return places > 1 && schemas >= leastSchemas;
  };
  const said = (part: Keywords): Keywords => {
    if (!isShared(part)) return withMembers(part, said);
    const name = names.get(part) ?? `part${names.size}`;
    if (!names.has(part)) {
      names.set(part, name);
      definitions[name] = withMembers(part, said);
    }
    return { $ref: `#/$defs/${name}` };
  };
  const whole = withMembers(schema as Keywords, said);
  return names.size === 0 ? schema : { ...whole, $defs: { ...(whole.$defs as Keywords), ...definitions } };
}

function partsOf(schema: Keywords): ReadonlyMap<Keywords, Part> {
  const parts = new Map<Keywords, Part>();
  const visit = (one: Keywords): Part => {
    const known = parts.get(one);
    if (known) {
      known.places += 1;
      return known;
    }
    const part = { places: 1, schemas: 1 };
    parts.set(one, part);
    withMembers(one, (member) => {
      part.schemas += visit(member).schemas;
      return member;
    });
    return part;
  };
  visit(schema);
  return parts;
}
