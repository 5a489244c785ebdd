// Merges the texts of a rebase, in the analysis worker.
import { conflict } from '#core/platform/errors.ts';
import { checkRuleText, type DocumentValidators, isError, isTable, type RuleDocument } from '#rules/rulesets/index.ts';
import { casesOf } from '../published/store.ts';
import type { WholeText } from './engine/text-parts.ts';
import { type Merged, threeWay } from './engine/three-way.ts';
import type { RebasedText, RebaseQuestion } from './question.ts';

/** Throws CONFLICT `not_usable` for a text that cannot be read, and for one of another kind than the version of now. */
export const mergeTexts = ({ texts }: RebaseQuestion, validators: DocumentValidators): Merged[] =>
  texts.map((one) => merged(one, validators));

function merged({ base, theirs, mine, version, sides }: RebasedText, validators: DocumentValidators): Merged {
  if (checkRuleText(mine.document, validators).some((one) => isError(one) && unreadable.has(one.code)))
    throw notUsable();
  const own = whole(mine);
  if (!theirs) return { conflicts: [], paths: [], text: numbered(own, version) };
  const their = whole(theirs);
  if (isTable(their.document) !== isTable(own.document)) throw notUsable();
  return threeWay({ base: base && whole(base), theirs: their, mine: own, version }, new Map(sides));
}

/** Findings about a text that is no rule document at all. */
const unreadable: ReadonlySet<string> = new Set(['SCHEMA', 'DUPLICATE_KEY']);

const whole = ({ document, cases }: RebasedText['mine']): WholeText => ({
  document: JSON.parse(document) as RuleDocument,
  cases: casesOf({ cases }),
});

const numbered = ({ document, cases }: WholeText, version: number): WholeText => ({
  document: { ...document, meta: { ...document.meta, version } } as RuleDocument,
  cases,
});

const notUsable = () =>
  conflict('not_usable', 'The text has errors that keep it from being merged. Check it.', 'document');
