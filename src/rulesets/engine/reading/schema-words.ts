// The words that all schemas of rule documents are written in.

export type Schema = Readonly<Record<string, unknown>>;

const name = { type: 'string', pattern: '^[a-z][a-z0-9-]*$' };
export const text = { type: 'string', minLength: 1 };
export const flag = { type: 'boolean' };
export const localText = strict({ ar: text, en: text });
export const constants = dictionary(
  '^[A-Z][A-Z0-9-]*$',
  strict({ value: { type: ['number', 'string', 'boolean'] }, rationale: text }, { unit: text }),
);
export const identity = { family: name, key: name, version: { type: 'integer', minimum: 1 }, title: localText };

/** An object with exactly these properties; `optional` ones may be left out. */
export function strict(required: Schema, optional: Schema = {}): Schema {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

/** An object whose keys all match the pattern. */
export function dictionary(keyPattern: string, of: Schema): Schema {
  return { type: 'object', additionalProperties: false, patternProperties: { [keyPattern]: of } };
}

export const listOf = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more });
