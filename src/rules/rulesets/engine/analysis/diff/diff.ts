// The differences between two versions of a document.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { changeLevels } from '../../../enums.ts';
import { type Constant, documentId, isTable, type RuleDocument, type TableDocument } from '../../document/document.ts';
import { type ChangedRegion, changedRegions } from './changed-regions.ts';

/** major: facts or vocabulary; minor: some region is decided differently; patch: none is. */
export type ChangeLevel = (typeof changeLevels)[number];

/** A changed part of a document; null on the side that lacks it. */
export interface ChangedPart<T> {
  readonly name: string;
  readonly before: T | null;
  readonly after: T | null;
}

export interface RuleDiff {
  readonly before: string;
  readonly after: string;
  readonly level: ChangeLevel;
  readonly constants: readonly ChangedPart<Constant>[];
  readonly facts: readonly ChangedPart<TableDocument['facts'][string]>[];
  /** Hit policy and outcome lists; for a value document, its sections. */
  readonly sections: readonly ChangedPart<unknown>[];
  /** Largest first; null when the versions cannot be compared. */
  readonly regions: readonly ChangedRegion[] | null;
}

/** Returns the differences. Throws TypeError when the versions are of different kinds. */
export function diffDocuments(before: RuleDocument, after: RuleDocument): RuleDiff {
  if (isTable(before) !== isTable(after)) throw new TypeError('a decision table cannot be compared with values');
  const ids = { before: documentId(before), after: documentId(after) };
  const constants = changedParts(before.constants ?? {}, after.constants ?? {});
  if (!isTable(before) || !isTable(after)) {
    const sections = changedParts(sectionsOf(before), sectionsOf(after));
    const level = constants.length + sections.length > 0 ? 'minor' : 'patch';
    return { ...ids, level, constants, facts: [], sections, regions: [] };
  }
  const facts = changedParts(before.facts, after.facts);
  const sections = changedParts(wordsOf(before), wordsOf(after));
  const regions = changedRegions(before, after);
  const isMajor = facts.length + sections.length > 0;
  const level = isMajor ? 'major' : regions?.length === 0 ? 'patch' : 'minor';
  return { ...ids, level, constants, facts, sections, regions };
}

/** Returns the sections that the value document's schema names. */
function sectionsOf(document: RuleDocument): Readonly<Record<string, unknown>> {
  const { meta: _meta, constants: _constants, ...sections } = document;
  return sections;
}

const wordsOf = ({ meta, outcomes }: TableDocument): Readonly<Record<string, unknown>> => ({
  hitPolicy: meta.hitPolicy,
  vocabulary: meta.vocabulary,
  'outcomes.order': outcomes.order,
  'outcomes.unordered': outcomes.unordered,
});

function changedParts<T>(before: Readonly<Record<string, T>>, after: Readonly<Record<string, T>>): ChangedPart<T>[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .map((name) => ({ name, before: own(before, name), after: own(after, name) }))
    .filter((part) => canonicalJson(part.before) !== canonicalJson(part.after));
}

/** Reads an own property: a part may be named like an inherited one, such as `constructor`. */
const own = <T>(parts: Readonly<Record<string, T>>, name: string): T | null =>
  Object.hasOwn(parts, name) ? (parts[name] ?? null) : null;
