// The rows of published versions. They never change.
import { Row } from '#core/platform/model.ts';
import type { ChangeLevel } from './engine/analysis/diff/diff.ts';

export class RuleVersion extends Row {
  static override tableName = 'rule_version';
  /** `family/key@version`, computed by the database. */
  declare readonly id: string;
  declare family: string;
  declare key: string;
  declare version: number;
  /** RFC 8785 text. */
  declare document: string;
  declare sha256: string;
  /** RFC 8785 text of `{cases}`; null for a version without cases. */
  declare cases: string | null;
  declare goldenSha256: string | null;
  declare publishedAt: string;
  /** Null for versions from a release. */
  declare authorUserId: number | null;
  declare editorUserIds: number[];
  declare approvedBy: number[];
  declare level: ChangeLevel | null;
}
