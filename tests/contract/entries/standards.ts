// Benchmark profiles. Each request that changes one gets a new draft.
import { cellKeyOf } from '#backoffice/standards/profiles/cell.ts';
import { insertProfileDraft } from '#backoffice/standards/profiles/rows.ts';
import { allProfiles } from '#backoffice/standards/profiles/versions.ts';
import type { TestApp } from '../../harness/http.ts';
import type { Aim, Entries } from '../requests/entry.ts';
import { benchmark, nextVersion } from '../rows/rule-versions.ts';

const cell = { country: null, grade: 3, measureCode: 'ORF_WCPM', season: null } as const;
const expected = { cuts: { meets: 70, approaching: 50, below: 30 }, source: 'A test.', titleAr: 'معيار للتجربة' };
const countries = ['SA', 'EG', 'JO', 'MA', 'OM', 'TN', 'DZ', 'QA'] as const;

let drafts = 0;

const removeDraft = ({ database }: TestApp, key: string) =>
  database.owner('benchmark_profile').where({ key, versionId: null }).delete();

async function ofDraft({ app }: Aim) {
  const { database, clock } = app;
  const own = { ...cell, ...expected, country: countries[drafts++ % countries.length] ?? null };
  await removeDraft(app, cellKeyOf(own));
  const { id: userId } = await database.owner('app_user').first('id');
  const id = await insertProfileDraft(database.owner as never, own, userId, clock.now());
  return { params: { id: id ?? '' } };
}

async function toActivate({ app: { database, clock } }: Aim) {
  const version = await nextVersion(database.owner, benchmark);
  const all = await allProfiles(database.owner as never, clock.now());
  const found = all.find((profile) => profile.key === benchmark.key && profile.version === version);
  return { params: { id: found?.id ?? '' } };
}

export const standardEntries: Entries = {
  resolveBenchmarkProfile: {
    request: () => ({ query: { country: 'SA', grade: 2, measureCode: 'ORF_WCPM', season: 'BOY' } }),
  },
  getMinistryReport: {},
  listBenchmarkProfiles: {},
  createBenchmarkProfile: {
    request: async ({ app }) => {
      await removeDraft(app, cellKeyOf(cell));
      return { body: { ...cell, ...expected } };
    },
  },
  getBenchmarkProfile: { request: ofDraft },
  updateBenchmarkProfile: { request: async (aim) => ({ ...(await ofDraft(aim)), body: { source: 'Another test.' } }) },
  publishBenchmarkProfile: { request: ofDraft },
  activateBenchmarkProfile: { request: toActivate },
  listBenchmarkAudit: { request: ofDraft },
};
