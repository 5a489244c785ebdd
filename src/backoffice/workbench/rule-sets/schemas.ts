// Response schemas of rule sets and their versions.
import Type from 'typebox';
import { Count, Cuid, IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import {
  AnyDocument,
  DiffLevel,
  FamilyName,
  GoldenCaseView,
  KeyName,
  OriginView,
  Sha256,
  UserIds,
  VersionNumber,
} from '../schemas.ts';

export const RuleSetView = named(
  'RuleSet',
  object({
    family: FamilyName,
    key: KeyName,
    title: object({ ar: Type.String(), en: Type.String() }),
    kind: oneOf(['table', 'values']),
    activeVersion: nullable(VersionNumber),
    newestVersion: VersionNumber,
    nextScheduled: nullable(object({ version: VersionNumber, from: Timestamp })),
    lastChange: object({ version: VersionNumber, at: Timestamp, authorUserId: nullable(IntegerId) }),
    openChanges: Count,
    /** `oracle`: the stock engine answers for the active version, because the compiled table disagreed with it. */
    health: oneOf(['ok', 'not_active', 'oracle']),
  }),
);

const head = {
  version: VersionNumber,
  state: oneOf(['published', 'active', 'retired']),
  sha256: Sha256,
  goldenSha256: nullable(Sha256),
  level: DiffLevel,
  publishedAt: Timestamp,
  authorUserId: nullable(IntegerId),
  approvedBy: UserIds,
  activeFrom: nullable(Timestamp),
  /** The change that published it; null for one that came with a release or by a route of its own. */
  changeId: nullable(Cuid),
  origin: OriginView,
};
export const VersionView = named('RuleVersion', object(head));
export const FullVersionView = named(
  'FullVersion',
  object({ ...head, document: AnyDocument, cases: Type.Array(GoldenCaseView) }),
);
