// Texts of notifications for the proof that precedes the approval of a rule: each template with every value of its variables,
// against the strictest filter of its readers.
import type { ServedText, TextSource, Tier } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { subSkillNames, tierFor } from './engine/compose.ts';
import { type KindDocument, kindDocuments } from './engine/kinds.ts';
import { measureNames, providerNames } from './engine/names.ts';
import { codeVariables, dateAr, type NoticeVariable, variablesIn } from './engine/template.ts';

/** One with short and one with long parts. */
const someDates = ['2025-01-02', '2026-11-30'].map(dateAr);

/** Names in code are proven whether or not a template uses them. */
export const notificationTexts: TextSource = (bundle) => [
  ...Object.entries(measureNames).map(([code, name]) => nameText(code, name, ['ui', 'parent_stricter'])),
  ...Object.entries(providerNames).map(([code, name]) => nameText(code, name, ['ui'])),
  ...kindDocuments(bundle.documents).flatMap((kind) => [
    servedText(bundle, kind, 'title', kind.titleTemplateAr),
    servedText(bundle, kind, 'body', kind.bodyTemplateAr),
    ...wordTexts(kind),
  ]),
];

const nameText = (code: string, template: string, tiers: readonly Tier[]): ServedText => ({
  id: `notification/names/${code}`,
  tiers,
  template,
});

/** Words are proven on their own too, since a template may come to name their variable later. */
const wordTexts = (kind: KindDocument): ServedText[] =>
  codeVariables.flatMap((name) =>
    Object.entries(kind.words?.[name] ?? {}).map(([code, template]) => ({
      ...{ id: `notification/${kind.kind}/${name}/${code}`, tiers: [tierFor(kind)], template },
    })),
  );

function servedText(bundle: RuleBundle, kind: KindDocument, place: string, template: string): ServedText {
  const values: Readonly<Record<NoticeVariable, readonly string[] | 'person'>> = {
    firstNameAr: 'person',
    fullNameAr: 'person',
    subSkillNameAr: subSkillNames(bundle).map(({ ar }) => ar),
    measureNameAr: Object.values(measureNames),
    dueOnAr: someDates,
    expiresOnAr: someDates,
    reasonAr: Object.values(kind.words?.reasonAr ?? {}),
    stageAr: Object.values(kind.words?.stageAr ?? {}),
    providerNameAr: Object.values(providerNames),
  };
  const variables = Object.fromEntries(variablesIn(template).map((name) => [name, values[name]]));
  return { id: `notification/${kind.kind}/${place}`, tiers: [tierFor(kind)], template, variables };
}
