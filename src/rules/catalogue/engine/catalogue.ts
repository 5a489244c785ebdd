// The catalogue of sub-skills, domains and tiles, read once per bundle into the look-ups the layers need.

import type { RuleBundle } from '../../rulesets/engine/index.ts';
import type { YearStart } from './year-dates.ts';

export const seasons = ['BOY', 'MOY', 'EOY'] as const;
export type Season = (typeof seasons)[number];

export interface SubSkillEntry {
  readonly code: string;
  readonly order: number;
  readonly ar: string;
  readonly en: string;
  readonly domain: string;
  readonly grades: readonly number[];
  /** Whether other skills build on it. */
  readonly gateway: boolean;
  /** Whether it concerns Arabic marks only; such a sub-skill never escalates. */
  readonly accuracyIndicator: boolean;
  /** Whether it is measured by oral reading instead of items. */
  readonly measuredByOrf: boolean;
  readonly prerequisites: readonly string[];
}

interface NamedEntry {
  readonly code: string;
  readonly order: number;
  readonly ar: string;
  readonly en: string;
}
export interface DomainEntry extends NamedEntry {
  readonly tile: string;
}

/** The document `catalogue/subskills`, unprocessed. */
export interface CatalogueDocument {
  readonly subSkills: readonly SubSkillEntry[];
  readonly domains: readonly DomainEntry[];
  readonly tiles: readonly NamedEntry[];
  readonly globalTile: { readonly code: string; readonly ar: string; readonly en: string };
  readonly microPatterns: readonly {
    readonly code: string;
    readonly errorFamily: string;
    readonly subSkill: string;
  }[];
  readonly schoolYear: YearStart;
  readonly seasons: readonly { readonly code: Season; readonly months: readonly number[] }[];
}

/** A sub-skill with its index in the catalogue (from 0) and its links as such indexes. */
export interface SubSkill extends SubSkillEntry {
  readonly index: number;
  readonly domainIndex: number;
  readonly prerequisiteIndexes: readonly number[];
  readonly transitivePrerequisites: ReadonlySet<string>;
}
export interface DomainNode extends DomainEntry {
  readonly index: number;
  readonly subSkills: readonly SubSkill[];
}
export interface TileNode extends NamedEntry {
  readonly domainIndexes: readonly number[];
}

export interface Catalogue {
  readonly subSkills: readonly SubSkill[];
  readonly byCode: ReadonlyMap<string, SubSkill>;
  readonly domains: readonly DomainNode[];
  readonly tiles: readonly TileNode[];
  /** microPattern → the sub-skill it points to. */
  readonly patternTarget: ReadonlyMap<string, SubSkill>;
  readonly schoolYearStart: YearStart;
}

/** Throws RangeError when the document refers to an entry that it does not contain. */
export function compileCatalogue(bundle: RuleBundle): Catalogue {
  const document = bundle.values<CatalogueDocument>('catalogue/subskills');
  const subSkills = linkSubSkills(document);
  const byCode = new Map(subSkills.map((subSkill) => [subSkill.code, subSkill]));
  const domains = inOrder(document.domains).map((domain, index) => ({
    ...domain,
    index,
    subSkills: subSkills.filter((subSkill) => subSkill.domain === domain.code),
  }));
  return {
    subSkills,
    byCode,
    domains,
    tiles: inOrder(document.tiles).map((tile) => ({
      ...tile,
      domainIndexes: domains.filter((domain) => domain.tile === tile.code).map((domain) => domain.index),
    })),
    patternTarget: new Map(document.microPatterns.map(({ code, subSkill }) => [code, known(byCode, subSkill)])),
    schoolYearStart: document.schoolYear,
  };
}

function linkSubSkills(document: CatalogueDocument): SubSkill[] {
  const entries = inOrder(document.subSkills);
  const positions = new Map(entries.map((entry, index) => [entry.code, index]));
  const domains = new Map(inOrder(document.domains).map((domain, index) => [domain.code, index]));
  const byCode = new Map(entries.map((entry) => [entry.code, entry]));
  return entries.map((entry, index) => ({
    ...entry,
    index,
    domainIndex: known(domains, entry.domain),
    prerequisiteIndexes: entry.prerequisites.map((code) => known(positions, code)),
    transitivePrerequisites: reachable(entry, byCode),
  }));
}

function reachable(entry: SubSkillEntry, byCode: ReadonlyMap<string, SubSkillEntry>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...entry.prerequisites];
  for (let code = open.pop(); code !== undefined; code = open.pop()) {
    if (!found.has(code)) open.push(...known(byCode, code).prerequisites);
    found.add(code);
  }
  return found;
}

const inOrder = <T extends { readonly order: number }>(entries: readonly T[]): T[] =>
  [...entries].sort((left, right) => left.order - right.order);

function known<T>(entries: ReadonlyMap<string, T>, code: string): T {
  const entry = entries.get(code);
  if (entry === undefined) throw new RangeError(`the catalogue has no ${code}`);
  return entry;
}
