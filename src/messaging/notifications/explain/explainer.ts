// Explains for the workbench why a person got a notification: events, subject, template and checks. All checks are evaluated
// again by the rules pinned in the row.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction, Trx } from '#core/platform/db.ts';
import { isId } from '#core/platform/ids.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { sayDecision, sentencesInForce } from '#rules/catalogue/index.ts';
import type { Explainer, RuleBundle } from '#rules/rulesets/index.ts';
import { loadRecipients, type Recipients } from '../dispatch/people.ts';
import { Notification } from '../notification.ts';
import type { Payload } from '../schemas.ts';
import { checksOf } from './checks.ts';
import { ExplainedNotification } from './schemas.ts';

/** Kind `notification:<id>`. Today's rules are not used; the name of the child is the present one. */
export const notificationExplainer: Explainer = {
  kinds: ['notification'],
  view: ExplainedNotification,
  explain: async (reading, services, _kind, id) => (isId(id) ? explained(reading, services, id) : undefined),
};

async function explained(
  reading: ReadTransaction,
  services: Services,
  id: string,
): Promise<ExplainedNotification | undefined> {
  const found = await reading((trx) => read(trx, services, id));
  if (!found) return undefined;
  const { row, events, bundle, people } = found;
  const { templates, checks } = checksOf(bundle, row, people);
  return {
    ...{ stampId: `notification:${id}`, kind: 'notification', organizationId: row.organizationId },
    ...{ studentId: row.studentId, asOf: row.createdAt, ruleVersions: { ...row.ruleVersions } },
    result: {
      ...{ kind: row.kind, severity: row.severity, deliveryState: row.deliveryState },
      ...{
        recipientUserId: row.recipientUserId,
        tier: row.tier,
        payload: { ...row.payload } as Payload,
        count: row.count,
      },
    },
    ...{ decisions: [], nearestChange: null },
    sentence: sayDecision(await sentencesInForce(reading, services), 'NOTIFICATION', undefined),
    matchesStored: checks.every(({ outcome }) => asStored.has(outcome)),
    from: { source: { type: row.sourceType, id: row.sourceId }, events: [...events], ...templates },
    checks: [...checks],
  };
}

/** Outcomes of checks with which a notification is delivered as stored. */
const asStored: ReadonlySet<string> = new Set(['active', 'fits', 'same', 'safe']);

interface Found {
  readonly row: Notification;
  readonly events: readonly EventOfRow[];
  readonly bundle: RuleBundle;
  readonly people: Recipients;
}

async function read(trx: Trx, { rules }: Services, id: string): Promise<Found | undefined> {
  const row = await Notification.query(trx).modify(inAnyOrganization).findOne({ id });
  if (!row) return undefined;
  const { organizationId, recipientUserId, studentId } = row;
  const { rules: then } = await rules.at(trx, new Date(row.createdAt));
  const [events, bundle, people] = await Promise.all([
    eventsOf(trx, row),
    rules.pinned(trx, { ...then.versions, ...row.ruleVersions }),
    loadRecipients(trx, organizationId, [{ recipientUserId, studentId }]),
  ]);
  return { row, events, bundle, people };
}

interface EventOfRow {
  readonly eventId: number;
  readonly topic: string | null;
  readonly askedAt: string;
}

const eventsOf = (trx: Trx, { organizationId, id }: Notification): Promise<EventOfRow[]> =>
  rowsOf(
    trx,
    `select q.event_id, o.topic, q.requested_at as asked_at from notification_request q
     left join outbox o on o.organization_id = q.organization_id and o.id = q.event_id
     where q.organization_id = :organizationId and q.notification_id = :id order by q.event_id`,
    { organizationId, id },
  );
