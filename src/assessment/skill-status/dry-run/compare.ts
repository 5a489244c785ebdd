// Compares a dry run with the stored results, field by field.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { DomainContent, SkillContent } from '../results/rows.ts';
import type { RunTile } from '../results/tables.ts';

type Words = string | readonly string[] | null;

export const comparableSkill = (row: SkillContent | undefined) => ({
  status: row?.status ?? null,
  outcome: row?.outcome ?? ('not_assessed' as const),
  confidence: row?.confidence ?? null,
  decision_strength: row?.decisionStrength ?? null,
  ruleId: row?.ssrRuleId ?? null,
  modifiers: [...(row?.modifiers ?? [])],
});

export const comparableDomain = (row: DomainContent | undefined) => ({
  status: row?.status ?? null,
  outcome: row?.outcome ?? ('not_assessed' as const),
  ruleId: row?.ddrRuleId ?? null,
  severePath: row?.severePath ?? null,
  modifiers: [...(row?.modifiers ?? [])],
});

export const comparableTile = (row: RunTile | undefined) => ({
  status: row?.status ?? ('Not_Assessed' as const),
  severePath: row?.severePath ?? null,
});

export interface ComparedResult<View> {
  readonly code: string;
  readonly derived: View;
  /** Null when no result of the student is stored. */
  readonly stored: View | null;
  readonly match: boolean;
}

/** Returns one entry per code, in the order of the codes. */
export function comparedBy<Row, View extends object>(
  codes: readonly string[],
  codeOf: (row: Row) => string,
  viewOf: (row: Row | undefined) => View,
  rows: { readonly derived: readonly Row[]; readonly stored: readonly Row[] | undefined },
): ComparedResult<View>[] {
  const byCode = (list: readonly Row[]) => new Map(list.map((row) => [codeOf(row), row]));
  const derivedRows = byCode(rows.derived);
  const storedRows = rows.stored && byCode(rows.stored);
  return codes.map((code) => {
    const derived = viewOf(derivedRows.get(code));
    const stored = storedRows ? viewOf(storedRows.get(code)) : null;
    return { code, derived, stored, match: stored === null || canonicalJson(stored) === canonicalJson(derived) };
  });
}

/** Returns the fields in which an entry differs. */
export function mismatchesOf<View extends object, Level extends string>(
  level: Level,
  list: readonly ComparedResult<View>[],
) {
  return list.flatMap(({ code, derived, stored }) => {
    if (stored === null) return [];
    const before = stored as Readonly<Record<string, Words>>;
    return Object.entries(derived as Readonly<Record<string, Words>>)
      .filter(([field, value]) => canonicalJson(value) !== canonicalJson(before[field]))
      .map(([field, value]) => ({ level, code, field, stored: wordsOf(before[field]), derived: wordsOf(value) }));
  });
}

const wordsOf = (value: Words | undefined): string | string[] | null =>
  typeof value === 'string' ? value : value ? [...value] : null;
