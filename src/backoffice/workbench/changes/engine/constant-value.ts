// One number that several documents quote is one number: sets it in a document, wherever it stands there.
import {
  constantFault,
  type FactValue,
  isTable,
  leavesOf,
  type RuleDocument,
  type TableDocument,
} from '#rules/rulesets/engine/index.ts';

export interface ConstantValue {
  readonly id: string;
  readonly value: FactValue;
  /** Default: as it was. */
  readonly rationale?: string;
}

export const holdsConstant = ({ constants = {} }: RuleDocument, id: string): boolean => Object.hasOwn(constants, id);

/** Returns the document with the value, also in every literal that stands for the constant. */
export function withConstant(document: RuleDocument, { id, value, rationale }: ConstantValue): RuleDocument {
  const { constants = {}, ...rest } = document;
  const constant = constants[id];
  if (!constant) return document;
  const changed = { ...constant, value, ...(rationale !== undefined && { rationale }) };
  return { ...(withLiterals(rest, id, value) as RuleDocument), constants: { ...constants, [id]: changed } };
}

function withLiterals(part: unknown, id: string, value: FactValue): unknown {
  if (Array.isArray(part)) return part.map((one) => withLiterals(one, id, value));
  if (typeof part !== 'object' || part === null) return part;
  const members = Object.entries(part).map(([name, member]) => [name, withLiterals(member, id, value)] as const);
  const copy = Object.fromEntries(members);
  return copy.valueRef === id ? { ...copy, value } : copy;
}

/** Returns why the value cannot stand in the comparisons of the document; undefined where it can. */
export function domainFault(document: RuleDocument, { id, value }: ConstantValue): string | undefined {
  const old = document.constants?.[id]?.value;
  if (old !== undefined && typeof old !== typeof value) return `must be a ${typeof old}`;
  if (!isTable(document)) return undefined;
  for (const { conditions } of document.rules) {
    for (const { fact, valueRef } of leavesOf(conditions)) {
      const fault = valueRef === id ? faultOf(document.facts[fact], value) : undefined;
      if (fault !== undefined) return `${fault}: ${document.meta.family}/${document.meta.key} compares it with ${fact}`;
    }
  }
  return undefined;
}

function faultOf(spec: TableDocument['facts'][string] | undefined, value: FactValue): string | undefined {
  if (!spec) return undefined;
  if (spec.type === 'enum') return spec.values.some((one) => one === value) ? undefined : 'must be a value of the fact';
  if (spec.type === 'boolean') return typeof value === 'boolean' ? undefined : 'must be a boolean';
  if (typeof value !== 'number') return 'must be a number';
  if (spec.type === 'integer' && !Number.isInteger(value)) return 'must be an integer';
  return value < spec.min || value > spec.max ? `must be from ${spec.min} to ${spec.max}` : undefined;
}

const rangeWords = {
  constant_no_day: 'must be a month and day',
  constant_no_number: 'must be a number',
  constant_not_whole: 'must be an integer',
} as const;

/** Returns why the value is outside the range that a capability declares for the constant; undefined where it is inside. */
export function rangeFault(range: Parameters<typeof constantFault>[0], value: FactValue): string | undefined {
  const fault = constantFault(range, value);
  if (!fault) return undefined;
  return fault.issue === 'constant_out_of_range'
    ? `must be from ${fault.min} to ${fault.max}`
    : rangeWords[fault.issue];
}
