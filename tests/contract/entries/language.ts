// Language rules and the check of a text.
import { allVersions } from '#backoffice/language-rules/versions.ts';
import type { Entries } from '../requests/entry.ts';

const rule = {
  ...{ id: 'WALK-01', tiers: ['student'], match: { phrases: ['كلمة لا تقال'] } },
  ...{ action: 'block', reasonCode: 'blame' },
};

export const languageEntries: Entries = {
  validateLanguage: { request: () => ({ body: { text: 'كتاب جديد', tier: 'parent_stricter' } }) },
  listLanguageRules: {},
  // The whole set in force and one more rule, because earlier cases must still pass.
  createLanguageRules: {
    request: async ({ app }) => {
      const row: { document: string } = await app.database
        .owner('rule_version')
        .where({ family: 'language', key: 'student' })
        .orderBy('version', 'desc')
        .first('document');
      const { entries } = JSON.parse(row.document) as { entries: readonly { id: string }[] };
      return { body: { key: 'student', rules: [...entries.filter(({ id }) => id !== rule.id), rule] } };
    },
  },
  deactivateLanguageRules: {
    request: async ({ app }) => {
      const rows = await allVersions(app.database.owner as never, app.clock.now());
      return { params: { id: rows.find(({ key }) => key === 'student')?.id ?? '' } };
    },
  },
};
