// Checks of the rules, of their engine and of the chain of attestations.
import { inContext } from '#core/platform/db.ts';
import { foundOf, type Probe, type ProbeFinding, reportedDirectly } from '#messaging/qa/index.ts';
import { scheduleRefused } from './activation/schedule.ts';
import { firstBroken, replayMismatch } from './replays/attestation.ts';

export const workbenchProbes: readonly Probe[] = [
  reportedDirectly(replayMismatch),
  reportedDirectly(scheduleRefused),
  {
    check: 'RULE_CHECKSUM_DIFFERS',
    kind: 'audit',
    subject: 'rule_version',
    of: 'platform',
    findings: `select null::text as organization_id, id, null::bigint as student_id from rule_version
      where sha256 <> encode(sha256(convert_to(document, 'UTF8')), 'hex')
        or golden_sha256 is distinct from encode(sha256(convert_to(cases, 'UTF8')), 'hex')`,
  },
  {
    check: 'RULE_PIN_UNPUBLISHED',
    kind: 'audit',
    subject: 'rule_bundle',
    of: 'platform',
    findings: `select null::text as organization_id, b.id, null::bigint as student_id from rule_bundle b
      where exists (select from jsonb_each_text(b.versions) p
        where not exists (select from rule_version v where v.id = p.key || '@' || p.value))`,
  },
  {
    check: 'ORACLE_MISMATCH',
    kind: 'runtime',
    subject: 'rule_document',
    of: 'platform',
    // The finding lasts while the reference engine answers in the place of a table.
    findings: `select null::text as organization_id, newest.document_id as id, null::bigint as student_id
      from (select distinct on (document_id) document_id, on_fallback from rule_engine_fallback
        order by document_id, id desc) newest
      where newest.on_fallback`,
  },
  {
    check: 'ATTESTATION_BROKEN',
    kind: 'audit',
    subject: 'attestation',
    of: 'platform',
    async look({ services }) {
      const broken = await inContext(services.db, 'SUPER', firstBroken);
      const finding = (id: number | null): ProbeFinding => ({ organizationId: null, id: String(id), studentId: null });
      return foundOf(broken === undefined ? [] : [finding(broken)]);
    },
  },
];
