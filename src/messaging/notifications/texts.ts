// What notifications say, for the proof that every text makes before a rule may be approved: each template with every value that
// its variables can take, before the strictest filter of those who read it.
import type { ServedText, TextSource, Tier } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { subSkillNames, tierFor } from './engine/compose.ts';
import { type KindDocument, kindDocuments } from './engine/kinds.ts';
import { measureNames, providerNames } from './engine/names.ts';
import { codeVariables, dateAr, type VariableName, variablesIn } from './engine/template.ts';

/** Short and long. */
const someDates = ['2025-01-02', '2026-11-30'].map(dateAr);

/** Names that stand in code are proven whether a template names them yet or not. */
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

/** Proven by themselves too: a word may wait for a template that names its variable. */
const wordTexts = (kind: KindDocument): ServedText[] =>
  codeVariables.flatMap((name) =>
    Object.entries(kind.words?.[name] ?? {}).map(([code, template]) => ({
      ...{ id: `notification/${kind.kind}/${name}/${code}`, tiers: [tierFor(kind)], template },
    })),
  );

function servedText(bundle: RuleBundle, kind: KindDocument, place: string, template: string): ServedText {
  const values: Readonly<Record<VariableName, readonly string[] | 'person'>> = {
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
