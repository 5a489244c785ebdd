// Computes the smallest new evidence after which no rule of an alert holds, and the first day for it.

import { daysAfter } from '#core/platform/pure/dates/days.ts';
import {
  type FactValue,
  flipDistance,
  isActionable,
  type Layers,
  layersOf,
  type RuleBundle,
  type TableDocument,
} from '#rules/rulesets/engine/index.ts';
import { isInstructional, type SchoolCalendar } from '../../../interventions/engine/index.ts';
import { factCategories } from '../fact-categories.ts';
import type { RtiAlertKind } from '../vocabulary.ts';
import type { AlertFacts, AlertState } from './alert.ts';
import { clearing } from './evaluate.ts';
import { noQuiet, tableFacts } from './facts.ts';

export interface ClearsWhen {
  /** Facts by their names in RAL; empty when none of its rules holds any more. */
  readonly from: readonly { readonly fact: string; readonly is: FactValue; readonly would: FactValue }[];
  /** Local date; null when no school day is known within the horizon. */
  readonly earliestOn: string | null;
}

type Asked = Pick<AlertState, 'kind' | 'state' | 'subSkillCode'>;

/** Null for an alert that only a decision ends, or that no evidence about the student would end. */
export type ClearsWhenOf = (
  alert: Asked,
  facts: AlertFacts,
  calendar: SchoolCalendar,
  today: string,
) => ClearsWhen | null;

/** Throws BundleError when the document is missing. */
export function compileClearsWhen(bundle: RuleBundle): ClearsWhenOf {
  const { document } = bundle.table('rti/alerts');
  const layersOfKind = new Map<RtiAlertKind, Layers>();
  return (alert, facts, calendar, today) => {
    const { kind, state, subSkillCode } = alert;
    if (state === 'closed' || (state === 'open' && !clearing.has(kind))) return null;
    const layers = layersOfKind.get(kind) ?? layersOf(ownRules(document, kind));
    layersOfKind.set(kind, layers);
    const skillHits = facts.skillHits.filter((code) => kind !== 'Skill_Alert' || code === subSkillCode);
    const changes = changesOf(layers, { ...facts, skillHits });
    if (changes === undefined) return null;
    return { from: changes, earliestOn: firstSchoolDay(calendar, today) };
  };
}

/** Only the rules of the kind count against all others. Progress can be shown, but not become unknown. */
function ownRules(document: TableDocument, kind: RtiAlertKind): TableDocument {
  const own = document.rules.filter(({ event }) => event.params.outcome === kind);
  const lowest = Math.min(...own.map(({ priority }) => priority));
  const otherwise = {
    name: 'RAL-CLEAR',
    priority: lowest - 1,
    rationale: 'No rule of this kind holds.',
    conditions: { all: [] },
    event: { type: 'decision', params: { outcome: 'none' } },
  } as const;
  const unknown = {
    id: 'RAL-KNOWN',
    rationale: 'New evidence does not take progress away.',
    impossible: { all: [{ fact: 'progress', operator: 'equal', value: 'unknown' }] },
  } as const;
  return { ...document, constraints: [...(document.constraints ?? []), unknown], rules: [...own, otherwise] };
}

const mayMove = (fact: string): boolean => isActionable(factCategories, 'rti/alerts', fact);

/** Empty when no rule of the kind holds; undefined when no evidence suffices. */
function changesOf(layers: Layers, facts: AlertFacts): ClearsWhen['from'] | undefined {
  const known = facts.progress === 'unknown' ? 'mixed' : facts.progress;
  const asked = tableFacts({ ...facts, progress: known }, noQuiet);
  const cleared = layers.document.rules.length - 1;
  const towards = { ...layers, deciding: layers.deciding.map((boxes, row) => (row === cleared ? boxes : [])) };
  const flip = flipDistance(towards, asked, '', mayMove);
  return flip?.changes.map(({ fact, from, to }) => ({ fact, is: from, would: to }));
}

/** Days: a year and a summer. */
const horizon = 400;

/** The first school day from the given day on. */
function firstSchoolDay(calendar: SchoolCalendar, from: string): string | null {
  for (let ahead = 0; ahead <= horizon; ahead += 1) {
    const day = daysAfter(from, ahead);
    if (isInstructional(calendar, day)) return day;
  }
  return null;
}
