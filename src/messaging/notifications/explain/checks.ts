// What dispatch asked before a notification was told, asked again of the same rules. Pure.
import { filterOf, setOf } from '#rules/language/index.ts';
import type { DocumentName, RuleBundle } from '#rules/rulesets/index.ts';
import { judgedText, type Lookup, NotificationRefused, renderedText } from '../engine/compose.ts';
import { type Kind, kindsOf } from '../engine/kinds.ts';
import type { Notification } from '../rows/notifications.ts';
import type { Check } from './schemas.ts';

interface Checked {
  readonly templates: { readonly titleTemplateAr: string; readonly bodyTemplateAr: string };
  readonly checks: readonly Check[];
}

/** A kind that the rules of the row do not know any more cannot be: its document is pinned by the row. */
export function checksOf(bundle: RuleBundle, row: Notification, lookup: Lookup): Checked {
  const kind = kindsOf(bundle).get(row.kind);
  if (!kind) throw new RangeError(`the rules of a notification do not know its kind ${row.kind}`);
  const by = stampOf(bundle, kind.name);
  const { titleTemplateAr, bodyTemplateAr } = kind;
  return {
    templates: { titleTemplateAr, bodyTemplateAr },
    checks: [
      { check: 'kind', by, outcome: kind.active ? 'active' : 'not_active' },
      { check: 'payload', by, outcome: kind.fits(row.payload) ? 'fits' : 'does_not_fit' },
      { check: 'text', by, outcome: isSameText(bundle, kind, row, lookup) ? 'same' : 'other' },
      { check: 'filter', by: stampOf(bundle, setOf(row.tier)), outcome: filterOutcome(bundle, kind, row, lookup) },
    ],
  };
}

const stampOf = ({ versions }: RuleBundle, name: DocumentName): string => `${name}@${versions[name]}`;

/** Another where the child is called otherwise by now. */
function isSameText(bundle: RuleBundle, kind: Kind, row: Notification, lookup: Lookup): boolean {
  try {
    const { titleAr, bodyAr } = renderedText(bundle, kind, row.payload, row.tier, lookup);
    return titleAr === row.renderedTitleAr && bodyAr === row.renderedBodyAr;
  } catch (error) {
    if (error instanceof NotificationRefused) return false;
    throw error;
  }
}

/** As dispatch asks: of the text with nobody's name in it. A payload that cannot be said is judged by what was stored. */
function filterOutcome(bundle: RuleBundle, kind: Kind, row: Notification, lookup: Lookup) {
  const { titleAr, bodyAr } = judgedOrStored(bundle, kind, row, lookup);
  const verdicts = [titleAr, bodyAr].map((text) => filterOf(bundle).check(text, row.tier));
  if (verdicts.includes(undefined)) return 'no_rules' as const;
  return verdicts.every((one) => one?.safe) ? ('safe' as const) : ('unsafe' as const);
}

function judgedOrStored(bundle: RuleBundle, kind: Kind, row: Notification, lookup: Lookup) {
  try {
    return judgedText(bundle, kind, row.payload, row.tier, lookup);
  } catch (error) {
    if (!(error instanceof NotificationRefused)) throw error;
    return { titleAr: row.renderedTitleAr, bodyAr: row.renderedBodyAr };
  }
}
