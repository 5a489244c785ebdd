// Reads published versions. They never change.
import type { ModelObject } from 'objection';
import type { Trx } from '#core/platform/db.ts';
import { type AnyCase, type RuleDocument, RuleVersion } from '#rules/rulesets/index.ts';

export type VersionRow = ModelObject<RuleVersion>;
export type VersionHead = Omit<VersionRow, 'document' | 'cases'>;

const head = [
  'id',
  'family',
  'key',
  'version',
  'sha256',
  'goldenSha256',
  'publishedAt',
  'authorUserId',
  'editorUserIds',
  'approvedBy',
  'level',
  'origin',
];

export const findVersion = (trx: Trx, family: string, key: string, version: number): Promise<VersionRow | undefined> =>
  RuleVersion.query(trx).where({ family, key, version }).first().execute();

/** Returns versions newest first, without their texts. */
export const versionHeads = (trx: Trx, family: string, key: string): Promise<VersionHead[]> =>
  RuleVersion.query(trx).where({ family, key }).orderBy('version', 'desc').select(head).execute();

export const versionDocumentOf = ({ document }: Pick<VersionRow, 'document'>): RuleDocument =>
  JSON.parse(document) as RuleDocument;

export const casesOf = ({ cases }: Pick<VersionRow, 'cases'>): readonly AnyCase[] =>
  cases === null ? [] : (JSON.parse(cases) as { cases: readonly AnyCase[] }).cases;
