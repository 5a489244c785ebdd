// All profiles: drafts, and the versions of every cell with their periods from the timeline of activations. Nothing of a version
// is stored twice, and versions from a release or from the workbench are listed like all others.
import type { MeasureCode } from '#assessment/measurement/index.ts';
import type { Trx } from '#core/platform/db.ts';
import { idOfText } from '#core/platform/ids.ts';
import { RuleVersion } from '#rules/rulesets/index.ts';
import type { ProfileStatus } from '../enums.ts';
import { type BenchmarkDocument, benchmarkFamily, type Expectation, type ProfileCell } from './cell.ts';
import { allRows, type BenchmarkProfileRow } from './rows.ts';
import { type InForcePeriod, periodsByName } from './timeline.ts';

export interface ProfileVersion extends ProfileCell, Expectation {
  readonly id: string;
  readonly key: string;
  /** For a draft, the version that it would become. */
  readonly version: number;
  readonly status: ProfileStatus;
  /** Null for profiles from a release. */
  readonly createdBy: number | null;
  readonly createdAt: string;
  readonly publishedAt: string | null;
  /** The beginning and the end of the last period in force. */
  readonly activatedAt: string | null;
  readonly retiredAt: string | null;
  /** The periods in which this version was in force, oldest first. */
  readonly periods: readonly InForcePeriod[];
}

interface VersionRow {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly document: string;
  readonly publishedAt: string;
  readonly authorUserId: number | null;
}

/** Returns profiles by key, the newest version first. There are some dozens, because each was written by a person. */
export async function allProfiles(trx: Trx, now: Date): Promise<ProfileVersion[]> {
  const [rows, versions, periods] = await Promise.all([allRows(trx), allVersions(trx), periodsByName(trx, now)]);
  const began = new Map(rows.map((row) => [row.versionId, row]));
  const published = versions.map((version) =>
    publishedProfile(version, began.get(version.id), periods.get(`${benchmarkFamily}/${version.key}`) ?? []),
  );
  const newest = new Map<string, number>();
  for (const { key, version } of published) newest.set(key, Math.max(version, newest.get(key) ?? 0));
  const drafts = rows
    .filter(({ versionId }) => versionId === null)
    .map((row) => draftProfile(row, (newest.get(row.key) ?? 0) + 1));
  return [...published, ...drafts].sort((left, right) =>
    left.key === right.key ? right.version - left.version : left.key < right.key ? -1 : 1,
  );
}

const allVersions = (trx: Trx): Promise<VersionRow[]> =>
  RuleVersion.query(trx)
    .where({ family: benchmarkFamily })
    .select('id', 'key', 'version', 'document', 'publishedAt', 'authorUserId')
    .execute();

function publishedProfile(
  row: VersionRow,
  began: BenchmarkProfileRow | undefined,
  all: readonly InForcePeriod[],
): ProfileVersion {
  const { meta, country, grade, measureCode, season, cuts, source } = JSON.parse(row.document) as BenchmarkDocument;
  const periods = all.filter(({ version }) => version === row.version);
  const last = periods.at(-1);
  return {
    ...{ country, grade, measureCode: measureCode as MeasureCode, season, cuts, source, titleAr: meta.title.ar },
    id: began?.id ?? idOfText(`benchmark profile ${row.id}`),
    key: row.key,
    version: row.version,
    status: last === undefined ? 'published' : last.to === null ? 'active' : 'retired',
    createdBy: began?.createdBy ?? row.authorUserId,
    createdAt: began?.createdAt ?? row.publishedAt,
    publishedAt: row.publishedAt,
    activatedAt: last?.from ?? null,
    retiredAt: last?.to?.at ?? null,
    periods,
  };
}

function draftProfile(row: BenchmarkProfileRow, version: number): ProfileVersion {
  const { id, key, country, grade, measureCode, season, cuts, source, titleAr, createdBy, createdAt } = row;
  const cell = { country, grade, measureCode, season };
  const never = { publishedAt: null, activatedAt: null, retiredAt: null, periods: [] };
  return { id, key, version, ...cell, cuts, source, titleAr, status: 'draft', createdBy, createdAt, ...never };
}
