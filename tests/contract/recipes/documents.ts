// The rule documents of the small capability, in the form of files in `rules/`.
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { changedChecks, shippedChecks } from '../../messaging/qa/documents.ts';

const meta = (family: string, key: string) => ({
  ...{ family, key, version: 1, title: { ar: 'صغير', en: 'Small' } },
});

export const sizes = (size: unknown, most: number) => ({
  meta: meta('small', 'sizes'),
  constants: { 'SML-MAX-01': { value: most, rationale: 'Nothing is larger.' } },
  size,
});

/** `large`: the smallest size with the outcome "large". */
export const tableFrom = (large: number, version = 1) => ({
  meta: { ...meta('small', 'table'), version, hitPolicy: 'first', vocabulary: 'smallness' },
  facts: {
    size: { type: 'integer', min: 0, max: 5, unit: 'steps', better: 'up' },
    isOld: { type: 'boolean', better: null },
  },
  outcomes: { order: ['small', 'large'], unordered: [] },
  rules: [
    {
      ...{ name: 'SML-01', priority: 20, rationale: 'Large enough.' },
      conditions: { any: [fact('size', 'greaterThanInclusive', large), fact('isOld', 'equal', true)] },
      event: { type: 'decision', params: { outcome: 'large' } },
    },
    {
      ...{ name: 'SML-02', priority: 10, rationale: 'All others.' },
      conditions: { all: [fact('size', 'lessThan', large), fact('isOld', 'equal', false)] },
      event: { type: 'decision', params: { outcome: 'small' } },
    },
  ],
});

function fact(name: string, operator: string, value: number | boolean) {
  return { fact: name, operator, value };
}

const notification = {
  meta: meta('notification', 'small-grown'),
  ...{ kind: 'small_grown', active: true, titleTemplateAr: 'كبر الصغير', bodyTemplateAr: 'كبر الصغير اليوم.' },
  ...{ defaultPersona: 'TEACHER', defaultSeverity: 'info', retentionDays: 30 },
  payloadSchema: {
    ...{ type: 'object', additionalProperties: false, required: ['size'] },
    properties: { size: { type: 'integer', minimum: 1 } },
  },
};

const check = {
  ...{ qaCheckId: 'SMALL_IS_GIANT', titleEn: 'Something small is a giant', severity: 'high', kind: 'runtime' },
  ...{ subject: 'small', probe: 'small_is_giant', threshold: null, enabled: true },
};

/** In the form in which they would be published. */
export const smallDocuments = [sizes(3, 5), tableFrom(3), notification].map((one) => one as unknown as RuleDocument);

/** The shipped checks and that of the small capability. */
export const checks = {
  ...changedChecks({}),
  checks: [...shippedChecks, check],
} as unknown as RuleDocument;
