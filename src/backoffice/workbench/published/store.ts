// Reads published versions. They never change.
import type { Trx } from '#core/platform/db.ts';
import type { AnyCase, ChangeLevel, RuleDocument } from '#rules/rulesets/index.ts';

export interface VersionRow {
  /** `family/key@version` */
  readonly id: string;
  readonly family: string;
  readonly key: string;
  readonly version: number;
  /** RFC 8785 text. */
  readonly document: string;
  readonly sha256: string;
  /** RFC 8785 text of `{cases}`; null for a version without cases. */
  readonly cases: string | null;
  readonly goldenSha256: string | null;
  readonly publishedAt: string;
  /** Null for versions from a release. */
  readonly authorUserId: number | null;
  readonly editorUserIds: readonly number[];
  readonly approvedBy: readonly number[];
  readonly level: ChangeLevel | null;
}

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
];

export const findVersion = (trx: Trx, family: string, key: string, version: number): Promise<VersionRow | undefined> =>
  trx('rule_version').where({ family, key, version }).first();

/** Returns versions newest first, without their texts. */
export const versionHeads = (trx: Trx, family: string, key: string): Promise<VersionHead[]> =>
  trx('rule_version').where({ family, key }).orderBy('version', 'desc').select(head);

export const versionDocumentOf = ({ document }: Pick<VersionRow, 'document'>): RuleDocument =>
  JSON.parse(document) as RuleDocument;

export const casesOf = ({ cases }: Pick<VersionRow, 'cases'>): readonly AnyCase[] =>
  cases === null ? [] : (JSON.parse(cases) as { cases: readonly AnyCase[] }).cases;
