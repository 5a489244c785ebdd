// Narratives for tests: proposed over HTTP, or inserted by the owner of the tables.

import type { Db } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';

export const address = '/api/admin/profile-narratives';

export const teacherBody = (overrides: object = {}) => ({
  ...{ profileCode: 'DECODING_NEED', audience: 'teacher', window: 'MOY' },
  ...{ titleAr: 'قراءة المقاطع', bodyAr: 'درّب {{firstNameAr}} على {{domainNameAr}} بخطوات قصيرة.' },
  ...overrides,
});

export const suggestion = (overrides: object = {}) => ({
  ...{ suggestionCode: 'HS-90', titleAr: 'وقت القراءة', bodyAr: 'نقرأ معًا قصة قصيرة كل مساء مع {{firstNameAr}}.' },
  ...overrides,
});

export const parentBody = (overrides: object = {}) => ({
  ...{ profileCode: 'DECODING_NEED', audience: 'parent', window: 'MOY', suggestions: [suggestion()] },
  ...overrides,
});

export interface NarrativeInsert {
  readonly profileCode?: string;
  readonly season?: string;
  readonly state?: string;
  readonly authorUserId?: number | null;
  readonly reviewerUserId?: number | null;
  readonly createdAt?: Date;
  readonly decidedAt?: Date | null;
  readonly bodyAr?: string;
}

/** An author who is no person of the test. */
const otherPerson = 900_000_001;

/** By default a pending text for teachers, with the next version of its slot. Returns its id. */
export async function buildNarrative(owner: Db, overrides: NarrativeInsert = {}): Promise<string> {
  const slot = { profileCode: 'ISOLATED_GAP', audience: 'teacher', season: 'EOY', ...overrides };
  const { profileCode, audience, season } = slot;
  const newest = await owner('profile_narrative')
    .where({ profileCode, audience, season })
    .max('version as version')
    .first();
  const text = { titleAr: 'مهارة', bodyAr: 'قدّم نشاطًا قصيرًا.' };
  const row = {
    ...text,
    version: (newest?.version ?? 0) + 1,
    state: 'pending_review',
    createdAt: new Date(0),
    authorUserId: otherPerson,
  };
  const id = newId();
  await owner('profile_narrative').insert({ id, ...row, ...slot });
  return id;
}
