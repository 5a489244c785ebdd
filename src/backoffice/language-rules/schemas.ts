// Request and response schemas of language rules.
import Type from 'typebox';
import { Cuid, IntegerId, named, nullable, object, oneOf, page, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { actions, languageReasonCodes, tiers } from '#rules/language/index.ts';

/** The sets that hold rules. The dictionary of context flags is changed in the workbench, by two persons. */
export const setKeys = ['staff', 'family', 'student'] as const;

const TierName = named('Tier', oneOf(tiers));
const RuleIdText = Type.String({ maxLength: 40, pattern: '^[A-Z][A-Z0-9-]{1,39}$' });
const ShortText = Type.String({ minLength: 1, maxLength: 200 });

const Match = Type.Union([
  object({ phrases: Type.Array(ShortText, { minItems: 1, maxItems: 1_000 }) }),
  object({ pattern: ShortText }),
]);

/** `exact`: vowel marks count. `replacementAr` belongs to `rewrite`, and only to it. */
const LanguageRuleView = named(
  'LanguageRule',
  object({
    id: RuleIdText,
    tiers: Type.Array(TierName, { minItems: 1, maxItems: tiers.length }),
    match: Match,
    exact: Type.Optional(Type.Boolean()),
    action: oneOf(actions),
    replacementAr: Type.Optional(ShortText),
    reasonCode: oneOf(languageReasonCodes),
  }),
);

export const LanguageRulesBody = object({
  key: oneOf(setKeys),
  rules: Type.Array(LanguageRuleView, { minItems: 1, maxItems: 500 }),
});

const row = {
  id: Cuid,
  key: oneOf(setKeys),
  version: Type.Integer({ minimum: 1 }),
  state: oneOf(['active', 'retired']),
  rules: Type.Array(LanguageRuleView),
  createdAt: Timestamp,
  /** Null for a version that came with a release. */
  createdBy: nullable(IntegerId),
  deactivatedAt: nullable(Timestamp),
};
export const LanguageRulesView = named('LanguageRules', object(row));
export const LanguageRulesPage = page(LanguageRulesView);
export const LanguageVersionsQuery = object(pageQuery);

/** Texts that the new rules refuse: they are not served until the text or the set is changed. */
const AffectedText = named(
  'AffectedText',
  object({ id: Type.String(), tier: TierName, ruleIds: Type.Array(Type.String()) }),
);
export const CreatedView = named('CreatedLanguageRules', object({ ...row, affected: Type.Array(AffectedText) }));

/** Its length counts code points. The text is never logged or stored. */
const longestText = 2_000;
export const ValidateBody = object({ text: Type.String({ maxLength: longestText }), tier: TierName });
export const ValidateAnswer = named(
  'LanguageAnswer',
  object({
    safe: Type.Boolean(),
    violations: Type.Array(
      object({
        ruleId: Type.String(),
        /** Positions in UTF-16 units of the text; the end is exclusive. */
        start: Type.Integer({ minimum: 0 }),
        end: Type.Integer({ minimum: 0 }),
        action: oneOf(actions),
        reasonCode: oneOf(languageReasonCodes),
      }),
    ),
    rewritten: nullable(Type.String()),
    ruleVersion: Type.String(),
  }),
);
