// `rules diff`: the changes from one version of a document to another.
import type { BoxView } from '#rules/rulesets/engine/analysis/box-view.ts';
import { conditionText } from '#rules/rulesets/engine/analysis/condition-text.ts';
import type { ChangedRegion } from '#rules/rulesets/engine/analysis/diff/changed-regions.ts';
import { type ChangedPart, diffDocuments, type RuleDiff } from '#rules/rulesets/engine/analysis/diff/diff.ts';
import { findRule } from './documents.ts';
import { type Output, percent } from './terminal.ts';

export async function diff([before = '', after = '']: readonly string[], out: Output): Promise<boolean> {
  const [left, right] = [await findRule(before), await findRule(after)];
  if (!left || !right) throw new Error(`there is no rule document ${left ? after : before}`);
  const found = diffDocuments(left.document, right.document);
  out.json(found);
  printDiff(found, out);
  return true;
}

export function printDiff(found: RuleDiff, out: Output): void {
  out.line(`${found.before} → ${found.after}: ${found.level}`);
  for (const [title, parts] of partsOf(found)) printParts(title, parts, out);
  printRegions(found, out);
}

const partsOf = ({
  facts,
  sections,
  constants,
}: RuleDiff): readonly (readonly [string, readonly ChangedPart<unknown>[]])[] => [
  ['facts', facts],
  ['words', sections],
  ['constants', constants],
];

function printParts(title: string, parts: readonly ChangedPart<unknown>[], out: Output): void {
  if (parts.length === 0) return;
  const rows = parts.map(({ name, before, after }) => [name, short(before), short(after)]);
  out.line('');
  out.table([[title, 'before', 'after'], ...rows]);
}

const maxCellLength = 60;

function short(value: unknown): string {
  const text = value === null ? '–' : JSON.stringify(value);
  return text.length <= maxCellLength ? text : `${text.slice(0, maxCellLength - 1)}…`;
}

function printRegions({ regions }: RuleDiff, out: Output): void {
  out.line('');
  if (regions === null) {
    out.line('the versions cannot be compared: a fact or the hit policy is of another kind');
  } else if (regions.length === 0) {
    out.line('no region has another outcome');
  } else {
    out.table([['share', 'before', 'after', 'where, above all'], ...regions.map(regionRow)]);
  }
}

const regionRow = ({ share, before, after, boxes: [largest] }: ChangedRegion): readonly string[] => [
  percent(share),
  answerText(before),
  answerText(after),
  largest ? boxText(largest) : '',
];

const answerText = (answer: ChangedRegion['before']): string => (answer ? `${answer.ruleId} ${answer.outcome}` : '–');

const boxText = ({ conditions }: BoxView): string => conditionText(conditions);
