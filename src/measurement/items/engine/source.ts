// Items as authors write them: one file per sub-skill and grade band, easy to hard.
import { Ajv, type ErrorObject } from 'ajv';
import { type GradeBand, gradeBands } from './item.ts';
import type { ItemFinding } from './findings.ts';

export interface SourceDistractor {
  readonly text: string;
  /** The error that choosing it reveals. */
  readonly microPattern?: string;
  /** Only where no pattern names the error. */
  readonly errorFamily?: string;
}

export interface SourceItem {
  /** 1-based position, easy to hard. */
  readonly k: number;
  readonly prompt: { readonly text: string; readonly speech: string; readonly passage?: string };
  readonly correct: string;
  readonly distractors: readonly SourceDistractor[];
  readonly designedPatterns: readonly string[];
  readonly stemGroup: string;
}

export interface SourceCell {
  readonly subSkillCode: string;
  readonly gradeBand: GradeBand;
  readonly items: readonly SourceItem[];
}

export const cellName = (subSkillCode: string, gradeBand: GradeBand): string => `${subSkillCode}.${gradeBand}`;

const text = { type: 'string', minLength: 1 };
const word = { type: 'string', pattern: '^[a-z][a-z_]*$' };
const object = (required: object, optional: object = {}) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(required),
  properties: { ...required, ...optional },
});
const itemSchema = object({
  k: { type: 'integer', minimum: 1 },
  prompt: object({ text, speech: text }, { passage: text }),
  correct: text,
  distractors: { type: 'array', items: object({ text }, { microPattern: word, errorFamily: word }) },
  designedPatterns: { type: 'array', items: word, uniqueItems: true },
  stemGroup: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
});
const isItemList = new Ajv({ allErrors: true, strictRequired: false }).compile<SourceItem[]>({
  type: 'array',
  items: itemSchema,
});

export type ParsedCell = { readonly cell: SourceCell } | { readonly findings: readonly ItemFinding[] };

/** One source file; `name` is its name without `.json`. Never throws. */
export function parseSourceCell(name: string, fileText: string): ParsedCell {
  const [subSkillCode = '', band = ''] = name.split('.');
  const gradeBand = gradeBands.find((known) => known === band);
  if (!gradeBand) return { findings: [{ cell: name, k: null, code: 'CELL', message: `there is no band ${band}` }] };
  try {
    const items: unknown = JSON.parse(fileText);
    if (isItemList(items)) return { cell: { subSkillCode, gradeBand, items } };
    return { findings: (isItemList.errors ?? []).map((error) => shapeFinding(name, error)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { findings: [{ cell: name, k: null, code: 'SHAPE', message: `not JSON: ${reason}` }] };
  }
}

function shapeFinding(cell: string, { instancePath, message, params }: ErrorObject): ItemFinding {
  const [, index, ...rest] = instancePath.split('/');
  const extra = params.additionalProperty === undefined ? '' : ` (${String(params.additionalProperty)})`;
  return {
    cell,
    k: index === undefined ? null : Number(index) + 1,
    code: 'SHAPE',
    message: `${rest.join('.') || 'the item'} ${message ?? 'is not valid'}${extra}`,
  };
}
