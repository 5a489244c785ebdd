// The rows of published versions. They never change.
import { Row } from '#core/platform/model.ts';
import type { ChangeLevel } from './engine/analysis/diff/diff.ts';

/** Where an imported text comes from. */
export interface ImportOrigin {
  /** The address of the other service; null where its file does not say it. */
  readonly service: string | null;
  /** Its number there. */
  readonly version: number;
  /** SHA-256 of its text there, which holds that number. */
  readonly sha256: string;
}

export class RuleVersion extends Row {
  static override tableName = 'rule_version';
  static override jsonAttributes = ['origin'];
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
  /** Null for versions that were written here. */
  declare origin: ImportOrigin | null;
}
