// The row of a document of a change: its text and cases as they are hashed, and the constants that it changes.
import { invalid } from '#core/platform/errors.ts';
import { type AnyCase, type ImportOrigin, isTable, type RuleDocument } from '#rules/rulesets/index.ts';
import { casesOf } from '../../published/store.ts';
import { withoutReason } from '../../validation/engine/inherited-cases.ts';
import type { Base, BaseText } from '../bases.ts';
import { changedConstants } from '../engine/changed-constants.ts';
import type { ChangeDocument } from '../store.ts';
import { caseList, caseText, changeText, requireSize } from '../text.ts';

/** What a person sends of a document; each default is what the base has. */
export interface SentText {
  readonly document?: object;
  readonly cases?: unknown;
  /** Where an imported text comes from. */
  readonly origin?: ImportOrigin;
}

export type NewText = Omit<ChangeDocument, 'changeId' | 'level' | 'mutationScore'>;

/** Throws VALIDATION_ERROR for a text of another set or version, wrong cases, and the first text of a document that is missing. */
export function textOnBase(
  { family, key }: Pick<ChangeDocument, 'family' | 'key'>,
  base: Base,
  baseText: BaseText | undefined,
  { document, cases, origin }: SentText,
): NewText {
  const place = { family, key, baseVersion: base.version, version: base.newest + 1 };
  const baseDocument = baseText ? (JSON.parse(baseText.document) as RuleDocument) : null;
  const started = document ?? (baseDocument && withoutVersion(baseDocument));
  if (!started) throw invalid('document', 'is required for the first version');
  const list = cases === undefined ? inheritedCases(baseText) : caseList(cases);
  const row = {
    ...place,
    ...changeText(started, place),
    ...caseText(list),
    constants: changedConstants(baseDocument, started),
    origin: origin ?? null,
  };
  requireSize(row);
  return row;
}

/** The text of an older version than the newest holds a number that is taken. */
function withoutVersion(document: RuleDocument): object {
  const { version: _version, ...meta } = document.meta;
  return { ...document, meta };
}

export const inheritedCases = (baseText: BaseText | undefined): readonly AnyCase[] =>
  baseText ? casesOf(baseText).map(withoutReason) : [];

/** Whether the rule id or constant stands in the text. */
export function namesPart(
  text: RuleDocument,
  part: { readonly ruleId?: string; readonly constantId?: string },
): boolean {
  if (part.constantId !== undefined) return Object.hasOwn(text.constants ?? {}, part.constantId);
  if (part.ruleId === undefined) return true;
  return isTable(text) && text.rules.some(({ name }) => name === part.ruleId);
}
