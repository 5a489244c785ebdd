// Evaluates the checks of a dispatch again, by the rules that the notification is pinned to. Pure.
import { filterOf, setOfTier } from '#rules/language/index.ts';
import type { DocumentName, RuleBundle } from '#rules/rulesets/index.ts';
import { filteredText, type Lookup, NotificationRefused, renderedText } from '../engine/compose.ts';
import { type CompiledKind, kindsOf } from '../engine/kinds.ts';
import type { Notification } from '../notification.ts';
import type { NotificationCheck } from './schemas.ts';

interface Checked {
  readonly templates: { readonly titleTemplateAr: string; readonly bodyTemplateAr: string };
  readonly checks: readonly NotificationCheck[];
}

/** The kind must exist in the bundle, because the row pins its document. */
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
      { check: 'filter', by: stampOf(bundle, setOfTier(row.tier)), outcome: filterOutcome(bundle, kind, row, lookup) },
    ],
  };
}

const stampOf = ({ versions }: RuleBundle, name: DocumentName): string => `${name}@${versions[name]}`;

/** False when the name of the child has changed since. */
function isSameText(bundle: RuleBundle, kind: CompiledKind, row: Notification, lookup: Lookup): boolean {
  try {
    const { titleAr, bodyAr } = renderedText(bundle, kind, row.payload, row.tier, lookup);
    return titleAr === row.renderedTitleAr && bodyAr === row.renderedBodyAr;
  } catch (error) {
    if (error instanceof NotificationRefused) return false;
    throw error;
  }
}

/** Filters the text without a name, like dispatch. For a payload that cannot be rendered the stored outcome is taken. */
function filterOutcome(bundle: RuleBundle, kind: CompiledKind, row: Notification, lookup: Lookup) {
  const { titleAr, bodyAr } = renderedOrStored(bundle, kind, row, lookup);
  const verdicts = [titleAr, bodyAr].map((text) => filterOf(bundle).check(text, row.tier));
  if (verdicts.includes(undefined)) return 'no_rules' as const;
  return verdicts.every((one) => one?.safe) ? ('safe' as const) : ('unsafe' as const);
}

function renderedOrStored(bundle: RuleBundle, kind: CompiledKind, row: Notification, lookup: Lookup) {
  try {
    return filteredText(bundle, kind, row.payload, row.tier, lookup);
  } catch (error) {
    if (!(error instanceof NotificationRefused)) throw error;
    return { titleAr: row.renderedTitleAr, bodyAr: row.renderedBodyAr };
  }
}
