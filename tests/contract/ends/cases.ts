// Cases that set each number of the shipped documents to an end of the range of its schema, one number at a time.

import { capabilities } from '#app/capabilities.ts';
import { readerFindings } from '#backoffice/workbench/validation/engine/readers.ts';
import { ruleUse } from '#backoffice/workbench/validation/rule-use.ts';
import {
  BundleError,
  checkRuleText,
  type DocumentName,
  documentName,
  isError,
  isTable,
  overlaid,
  type RuleDocument,
} from '#rules/rulesets/index.ts';
import { bundle } from '../../assessment/skill-status/evidence.ts';
import { changedConstants, type Json } from '../../backoffice/workbench/backoffice.ts';
import { sections, validators } from '../../rules/rulesets/document-schemas.ts';

export interface EndCase {
  readonly name: string;
  /** All documents that contain the number, with its new value. */
  readonly documents: readonly RuleDocument[];
  /** Readers of the number: the name of a table, the name of a value document or, for a constant, `family/key#ID`. */
  readonly reads: readonly string[];
}

const { documents } = bundle;

let cases: readonly EndCase[] | undefined;

/** Computed once for each process, for all files that test a part of them. */
export function endCases(): readonly EndCase[] {
  cases ??= [...constantCases(), ...documents.flatMap(numberCases)];
  return cases;
}

/** Returns the constants without a range of their own. There must be none. */
export const unranged = (): string[] => constantIds().filter((id) => !validators.constants.has(id));

const constantIds = (): string[] => [...new Set(documents.flatMap(({ constants = {} }) => Object.keys(constants)))];

const constantCases = (): EndCase[] =>
  constantIds().flatMap((id) => {
    const range = validators.constants.get(id);
    const ends = !range ? [] : 'ends' in range ? range.ends : [range.min, range.max];
    return ends.map((end) => ({
      name: `${id} = ${end}`,
      documents: documents
        .filter(({ constants = {} }) => id in constants)
        .map((one) => changedConstants(one as unknown as Json, { [id]: end as number }) as unknown as RuleDocument),
      reads: documents
        .filter(({ constants = {} }) => id in constants)
        .map((one) => (isTable(one) ? documentName(one) : `${documentName(one)}#${id}`)),
    }));
  });

interface NumberSchema {
  readonly type?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, NumberSchema>>;
  readonly anyOf?: readonly NumberSchema[];
}

/**
 * Returns cases for single numbers in the sections of a value document. Constants and lists have their own functions.
 */
function numberCases(document: RuleDocument): EndCase[] {
  const name = documentName(document);
  const known = sections[name] ?? sections[`${document.meta.family}/*`] ?? {};
  const properties = Object.fromEntries(
    Object.entries(known).filter(([key]) => key !== 'constants' && key !== 'grade'),
  );
  return leavesOf({ properties: properties as never }, document, []).flatMap(({ path, ends }) =>
    ends.map((end) => ({
      name: `${name} ${path.join('.')} = ${end}`,
      documents: [withValue(document, path, end) as RuleDocument],
      reads: [name],
    })),
  );
}

interface Leaf {
  readonly path: readonly string[];
  readonly ends: readonly number[];
}

function leavesOf(
  { properties, anyOf, minimum, maximum }: NumberSchema,
  value: unknown,
  path: readonly string[],
): Leaf[] {
  if (typeof value === 'number') return [{ path, ends: [minimum, maximum].filter((end) => end !== undefined) }];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const members = properties ?? anyOf?.find((one) => one.properties)?.properties ?? {};
  return Object.entries(members).flatMap(([key, schema]) =>
    leavesOf(schema, (value as Record<string, unknown>)[key], [...path, key]),
  );
}

function withValue(holder: unknown, [key = '', ...rest]: readonly string[], value: number): unknown {
  const members = holder as Record<string, unknown>;
  return { ...members, [key]: rest.length === 0 ? value : withValue(members[key], rest, value) };
}

/**
 * Returns why these documents may not be in force together, or an empty list. It is looser than validation, which also
 * examines tables for gaps and dead rules: every document that passes validation passes here.
 */
export function refusalOf(changed: readonly RuleDocument[]): readonly string[] {
  const known = refusals.get(changed) ?? validate(changed);
  refusals.set(changed, known);
  return known;
}

/** Cached for documents that are never modified. */
const refusals = new WeakMap<readonly RuleDocument[], readonly string[]>();

function validate(changed: readonly RuleDocument[]): readonly string[] {
  const own = changed.flatMap((one) => checkRuleText(JSON.stringify(one), validators).filter(isError));
  if (own.length > 0) return own.map(({ message }) => message);
  try {
    return readerFindings(overlaid(bundle, changed), ruleUse(capabilities).readers).map(({ message }) => message);
  } catch (error) {
    if (error instanceof BundleError) return [error.message];
    throw error;
  }
}

export const namesOf = ({ documents: changed }: EndCase): DocumentName[] => changed.map(documentName);
