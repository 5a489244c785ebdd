// Turns the numbers of the cell analysis into findings.
import { subtractAll } from '../../boxes.ts';
import { leavesOf } from '../../document/conditions.ts';
import type { Rule, TableDocument } from '../../document/document.ts';
import { errorFinding, type Finding, type FindingCode, warningFinding } from '../../document/findings.ts';
import { tableWarnings } from '../../reading/table-checks.ts';
import type { CellAnalysis, Overlap } from '../cell-analysis.ts';
import { conditionText } from '../condition-text.ts';
import { dropsOf } from '../drops.ts';
import { common, type Layers } from '../layers.ts';
import { rowsAbove } from './by-boxes.ts';
import { type GapFinding, gapFindings } from './gaps.ts';
import { breakBoxes, shadowedBoxes } from './shown-boxes.ts';

export type AnalysisFinding = Finding & Partial<Pick<GapFinding, 'boxes' | 'proposedRow'>>;

/** Returns all findings about one table that need no other table, errors first. Waived ones are left out. */
export function tableFindings(layers: Layers, cells: CellAnalysis): readonly AnalysisFinding[] {
  const { document } = layers;
  return [
    ...gapFindings(layers, cells),
    ...unreachable(layers, cells),
    ...foreign(document),
    ...unreached(document, cells),
    ...notMonotone(layers, cells),
    ...idleConditions(document, cells),
    ...idleRows(document, cells),
    ...overlaps(layers, cells),
    ...tableWarnings(document),
    ...blankTexts(document),
  ];
}

function unreachable(layers: Layers, { cellsOfRow }: CellAnalysis): readonly AnalysisFinding[] {
  return layers.document.rules.flatMap(({ name }, row) => {
    if (cellsOfRow[row] !== 0) return [];
    const above = namesOf(layers.document, rowsAbove(layers, row));
    if (above.length === 0) return [errorFinding('UNREACHABLE', 'never_together', {}, name)];
    const finding = errorFinding('UNREACHABLE', 'taken_above', { rules: above }, name, ...above);
    return [{ ...finding, boxes: shadowedBoxes(layers, row) }];
  });
}

function foreign({ rules, outcomes }: TableDocument): readonly Finding[] {
  const words = [...outcomes.order, ...outcomes.unordered];
  return rules
    .filter(({ event }) => !words.includes(event.params.outcome))
    .map(({ name, event }) =>
      errorFinding('VOCABULARY_FOREIGN', 'foreign_outcome', { outcome: event.params.outcome }, name),
    );
}

function unreached(document: TableDocument, { cellsOfRow }: CellAnalysis): readonly Finding[] {
  const { order, unordered } = document.outcomes;
  const reached = new Set(
    document.rules.filter((_, row) => cellsOfRow[row] !== 0).map(({ event }) => event.params.outcome),
  );
  return [...order, ...unordered]
    .filter((word) => !reached.has(word) && !isWaived(document, 'VOCABULARY_UNREACHED', word))
    .map((outcome) => errorFinding('VOCABULARY_UNREACHED', 'unreached_outcome', { outcome }));
}

/** Maximum number of pairs for which an example is searched; the first ones suffice to show a wrong table. */
const shownPairs = 50;

/** A waiver names the fact, or the fact and both rules: `coreWeak DDR-05 DDR-04`. */
function notMonotone(layers: Layers, { breaks }: CellAnalysis): readonly AnalysisFinding[] {
  const { document } = layers;
  const named = breaks.flatMap((found) => {
    const [from, to] = [document.rules[found.fromRow], document.rules[found.toRow]];
    if (!from || !to) return [];
    const isExcused = [found.fact, `${found.fact} ${from.name} ${to.name}`].some((subject) =>
      isWaived(document, 'NOT_MONOTONE', subject),
    );
    return isExcused ? [] : [{ found, from, to }];
  });
  return named.map(({ found, from, to }, at) => {
    const args = { fact: found.fact, from: from.event.params.outcome, to: to.event.params.outcome };
    const finding = errorFinding('NOT_MONOTONE', 'better_leads_down', args, from.name, to.name);
    return at < shownPairs ? { ...finding, boxes: breakBoxes(layers, found) } : finding;
  });
}

function idleConditions({ rules }: TableDocument, { idleConditions: idle }: CellAnalysis): readonly Finding[] {
  return idle.flatMap(({ row, at }) => {
    const rule = rules[row];
    const drop = rule && dropsOf(rule.conditions).find((one) => one.at === at);
    if (!drop) return [];
    const args = { path: at, condition: conditionText(drop.dropped) };
    return [warningFinding('REDUNDANT_CONDITION', 'decides_nothing', args, rule.name)];
  });
}

function idleRows(document: TableDocument, { idleRows: idle }: CellAnalysis): readonly Finding[] {
  return namesOf(document, idle).map((name) => warningFinding('REDUNDANT_RULE', 'same_below', {}, name));
}

/** Returns one finding per upper rule, since a list of pairs would be too long. */
function overlaps(layers: Layers, { overlaps: pairs }: CellAnalysis): readonly Finding[] {
  return layers.document.rules.flatMap(({ name }, row) => {
    const misleading = pairs.filter((pair) => pair.upper === row && isMisleading(layers, pair));
    if (misleading.length === 0) return [];
    return [
      warningFinding(
        'OVERLAP',
        'only_by_place',
        {},
        name,
        ...namesOf(
          layers.document,
          misleading.map(({ lower }) => lower),
        ),
      ),
    ];
  });
}

/**
 * First-hit tables overlap on purpose: an exception precedes its rule, and a rule about some facts precedes rules about
 * others. Two rules about the same facts look as if each covered its own part. When each also holds outside the other
 * and both hold on the rest, a reader may take the wrong one for the answer.
 */
function isMisleading({ document, possible, holding }: Layers, { upper, lower }: Overlap): boolean {
  const [one, other] = [factsOf(document.rules[upper]), factsOf(document.rules[lower])];
  if (one !== other) return false;
  return subtractAll(common(possible, holding[upper] ?? []), holding[lower] ?? []).length > 0;
}

const factsOf = (rule: Rule | undefined): string =>
  rule ? [...new Set(leavesOf(rule.conditions).map(({ fact }) => fact))].sort().join(' ') : '';

/** Returns findings for blank texts. Missing texts are found by the checks of the document. */
function blankTexts({ messages = {} }: TableDocument): readonly Finding[] {
  return Object.entries(messages).flatMap(([key, texts]) =>
    (['ar', 'en'] as const)
      .filter((language) => !texts[language]?.trim())
      .map((language) => warningFinding('MESSAGE_MISSING', 'no_language', { key, language })),
  );
}

const namesOf = ({ rules }: TableDocument, rows: readonly number[]): string[] =>
  rows.flatMap((row) => rules[row]?.name ?? []);

const isWaived = ({ waivers = [] }: TableDocument, code: FindingCode, subject: string): boolean =>
  waivers.some((waiver) => waiver.code === code && waiver.subject === subject && waiver.reason.trim() !== '');
