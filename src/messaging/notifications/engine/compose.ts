// Composes one notification in the order of a dispatch: kind, payload, text, recipient, filter. Pure: names are looked up
// before. Names are data, so the filter checks the text without any name.

import { localDate } from '#core/platform/pure/dates/calendar.ts';
import {
  filterOf,
  firstNameAr,
  fullNameAr,
  type NameReader,
  type SetName,
  setOfTier,
  type Tier,
} from '#rules/language/engine/index.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import type { RequestRefusal } from '../enums.ts';
import { codeWord } from './check-texts.ts';
import { type CompiledKind, kindsOf } from './kinds.ts';
import { measureNames, providerNames } from './names.ts';
import { dateAr, fieldFor, fillNotice, type NoticeVariable, type NoticeWords, variablesIn } from './template.ts';

export type Payload = Readonly<Record<string, unknown>>;

export interface RequestedNotification {
  readonly kind: string;
  readonly payload: Payload;
}

export interface Recipient {
  readonly persona: string;
  readonly isActive: boolean;
}

/** Resolves ids of a payload. */
export interface Lookup {
  /** Returns undefined for a student who was erased. */
  fullName(studentId: number): string | undefined;
  readonly timeZone: string;
}

export interface ComposedNotification {
  readonly kind: CompiledKind;
  /** As the document in force describes it. */
  readonly payload: Payload;
  readonly tier: Tier;
  readonly titleAr: string;
  readonly bodyAr: string;
  readonly ruleVersions: Readonly<Record<string, number>>;
}

export type Outcome =
  | { readonly composed: ComposedNotification }
  | { readonly skipped: 'recipient_inactive' | 'stage_unknown' | 'reason_unknown' }
  /** The language rules of this recipient are not in force; the request waits for them. */
  | { readonly waitsFor: SetName };

export class NotificationRefused extends Error {
  override readonly name = 'NotificationRefused';
  readonly refusal: RequestRefusal;

  constructor(refusal: RequestRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/** Throws NotificationRefused. */
export function compose(
  bundle: RuleBundle,
  { kind, payload: asked }: RequestedNotification,
  to: Recipient | undefined,
  lookup: Lookup,
): Outcome {
  const known = kindsOf(bundle).get(kind);
  if (!known?.active) throw new NotificationRefused('UnknownKind');
  const payload = payloadInForce(known, asked);
  if (payload === undefined) return { skipped: 'stage_unknown' };
  if (!knowsReason(known, payload)) return { skipped: 'reason_unknown' };
  if (!known.fits(payload)) throw new NotificationRefused('PayloadInvalid');
  const tier = tierFor(known, to?.persona);
  const text = renderedText(bundle, known, payload, tier, lookup);
  if (!to?.isActive) return { skipped: 'recipient_inactive' };
  const filtered = filteredText(bundle, known, payload, tier, lookup);
  const verdicts = [filtered.titleAr, filtered.bodyAr].map((one) => filterOf(bundle).check(one, tier));
  if (verdicts.includes(undefined)) return { waitsFor: setOfTier(tier) };
  if (verdicts.some((one) => !one?.safe)) throw new NotificationRefused('LanguageUnsafe');
  return { composed: { kind: known, payload, tier, ...text, ruleVersions: versionsOf(bundle, known, tier) } };
}

/**
 * A request from before stages is about something new, and a document from before them describes no stage. Undefined for a
 * stage that such a document cannot name: it is not sent.
 */
function payloadInForce(
  { payloadSchema: { properties, required } }: CompiledKind,
  payload: Payload,
): Payload | undefined {
  const { stage, ...rest } = payload;
  if (Object.hasOwn(properties, 'stage')) {
    return stage === undefined && required.includes('stage') ? { ...rest, stage: firstStage } : payload;
  }
  if (stage === undefined) return payload;
  return stage === firstStage ? rest : undefined;
}

const firstStage = 'opened';

/** A document from before a reason cannot say it: it is not sent. */
function knowsReason({ payloadSchema }: CompiledKind, { suggestionCode }: Payload): boolean {
  const codes = payloadSchema.properties.suggestionCode?.enum;
  return typeof suggestionCode !== 'string' || codes === undefined || codes.includes(suggestionCode);
}

/** The strictest tier is used for families, whatever the kind. */
export const tierFor = ({ defaultPersona }: Pick<CompiledKind, 'defaultPersona'>, persona?: string): Tier =>
  defaultPersona === 'PARENT' || persona === 'PARENT' ? 'parent_stricter' : 'ui';

/** Throws NotificationRefused for a code that has no name. */
export function renderedText(bundle: RuleBundle, kind: CompiledKind, payload: Payload, tier: Tier, lookup: Lookup) {
  const words = wordsOf(bundle, kind, payload, tier, lookup);
  return { titleAr: fillNotice(kind.titleTemplateAr, words), bodyAr: fillNotice(kind.bodyTemplateAr, words) };
}

/** The text that the filter checks, equal for all children. Throws like `renderedText`. */
export const filteredText = (bundle: RuleBundle, kind: CompiledKind, payload: Payload, tier: Tier, lookup: Lookup) =>
  renderedText(bundle, kind, payload, tier, { timeZone: lookup.timeZone, fullName: () => undefined });

function wordsOf(bundle: RuleBundle, kind: CompiledKind, payload: Payload, tier: Tier, lookup: Lookup): NoticeWords {
  const names = new Set([...variablesIn(kind.titleTemplateAr), ...variablesIn(kind.bodyTemplateAr)]);
  const entries = [...names].map((name) => {
    const word = wordFor[name](payload[fieldFor(kind.kind, name)], { bundle, kind, tier, lookup });
    if (word === undefined) throw new NotificationRefused('PayloadInvalid');
    return [name, word] as const;
  });
  return Object.fromEntries(entries);
}

interface Around {
  readonly bundle: RuleBundle;
  readonly kind: CompiledKind;
  readonly tier: Tier;
  readonly lookup: Lookup;
}

const readerOf = (tier: Tier): NameReader => (tier === 'parent_stricter' ? 'family' : 'staff');

const wordFor: Readonly<Record<NoticeVariable, (value: unknown, around: Around) => string | undefined>> = {
  firstNameAr: (id, { tier, lookup }) => firstNameAr(lookup.fullName(Number(id)) ?? '', readerOf(tier)),
  fullNameAr: (id, { tier, lookup }) => fullNameAr(lookup.fullName(Number(id)) ?? '', readerOf(tier)),
  subSkillNameAr: (code, { bundle }) => subSkillNames(bundle).find((one) => one.code === code)?.ar,
  measureNameAr: (code) => measureNames[String(code)],
  dueOnAr: (at, { lookup }) => dateAr(localDate(new Date(String(at)), lookup.timeZone)),
  expiresOnAr: (date) => dateAr(String(date)),
  reasonAr: (code, { kind }) => codeWord(kind, 'reasonAr', code),
  stageAr: (code, { kind }) => codeWord(kind, 'stageAr', code),
  providerNameAr: (code) => providerNames[String(code)],
};

const catalogue = 'catalogue/subskills';

export function subSkillNames(bundle: RuleBundle): readonly { readonly code: string; readonly ar: string }[] {
  if (bundle.versions[catalogue] === undefined) return [];
  return bundle.values<{ subSkills: readonly { code: string; ar: string }[] }>(catalogue).subSkills;
}

function versionsOf({ versions }: RuleBundle, { name }: CompiledKind, tier: Tier): Readonly<Record<string, number>> {
  const set = setOfTier(tier);
  return { [name]: versions[name] ?? 0, [set]: versions[set] ?? 0 };
}
