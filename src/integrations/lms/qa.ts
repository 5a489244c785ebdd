// The quality checks of connections, previews and runs.
import { foundOf, type Probe } from '#messaging/qa/index.ts';
import { unreadableConnections } from './providers/unreadable.ts';

export const lmsProbes: readonly Probe[] = [
  {
    check: 'LMS_PREVIEW_PAST_EXPIRY',
    kind: 'audit',
    subject: 'lms_preview',
    of: 'organization',
    // Previews are deleted thirty days after they were created (contract 80 §1).
    findings: `select organization_id, id, null::bigint as student_id from lms_preview
      where organization_id = :organizationId
        and created_at + interval '30 days' < :now::timestamptz - :threshold * interval '1 second'`,
  },
  {
    check: 'LMS_RUN_STUCK',
    kind: 'runtime',
    subject: 'lms_connection',
    of: 'platform',
    waits: true,
    // No sync is expected of a connection by files, or without a mapped course.
    findings: `select r.organization_id, r.connection_id as id, null::bigint as student_id from lms_sync_run r
      where r.state in ('queued', 'running') and r.created_at < :now::timestamptz - :threshold * interval '1 second'
      union
      select c.organization_id, c.id, null::bigint from lms_connection c
      cross join lateral (select min(m.mapped_at) as first_at from lms_mapping m
        join class k on k.organization_id = m.organization_id and k.id = m.class_id
        where m.organization_id = c.organization_id and m.provider = c.provider) mapped
      where c.status = 'active' and c.next_run_at is not null and mapped.first_at is not null
        and greatest(c.created_at, c.last_sync_at, mapped.first_at) < :now::timestamptz - interval '48 hours'`,
  },
  {
    check: 'LMS_CONFLICTS_WAITING',
    kind: 'audit',
    subject: 'lms_connection',
    of: 'organization',
    // The newest run that was not partial is older than the threshold, and a partial one is too.
    findings: `select c.organization_id, c.id, null::bigint as student_id from lms_connection c
      cross join lateral (select min(r.ended_at) as since from lms_sync_run r
        where r.organization_id = c.organization_id and r.connection_id = c.id and r.state = 'partial'
          and r.ended_at > coalesce((select max(n.ended_at) from lms_sync_run n
            where n.organization_id = c.organization_id and n.connection_id = c.id
              and n.state in ('succeeded', 'error')), '-infinity')) waiting
      where c.organization_id = :organizationId and c.ended_at is null
        and waiting.since <= :now::timestamptz - :threshold * interval '1 second'`,
  },
  {
    check: 'LMS_TOKEN_AFTER_END',
    kind: 'audit',
    subject: 'lms_connection',
    of: 'organization',
    findings: `select organization_id, id, null::bigint as student_id from lms_connection
      where organization_id = :organizationId and ended_at is not null and sealed_credentials is not null`,
  },
  {
    check: 'LMS_TOKEN_UNREADABLE',
    kind: 'runtime',
    subject: 'lms_connection',
    of: 'platform',
    look: async ({ services }) => foundOf(await unreadableConnections(services)),
  },
];
