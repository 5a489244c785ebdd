// Simulates the due days of alerts: how many of the open ones would be overdue today, had the rules been in force.
import Type from 'typebox';
import { Count, nullable, object } from '#core/http/schemas.ts';
import type { Trx } from '#core/platform/db.ts';
import type { ResultSimulator, Sides, SimulatedStudents } from '#rules/rulesets/index.ts';
import { dueAlerts } from '../due/alerts.ts';
import { dueStartOf } from '../due/start.ts';
import { type DueSettings, rtiSettings } from '../engine/settings.ts';

const counted = 'alerts overdue';
/** A run of the due days that began before every alert. */
const always = new Date(0).toISOString();

/** Reports from before it was counted have no such section. */
const OverdueSection = Type.Optional(nullable(object({ before: Count, after: Count })));

export const dueSimulator: ResultSimulator = {
  compares: 'results',
  rank: 65,
  layers: [],
  simulates: (document) => document === 'rti/decision-packet',
  section: { name: 'alertsOverdue', schema: OverdueSection },
  prepare: ({ before, after }) => {
    const due: Sides<DueSettings | null> = { before: rtiSettings(before).due, after: rtiSettings(after).due };
    return {
      scales: {},
      read: async (trx, _services, of) => {
        const found = { before: await countOverdueAlerts(trx, of, due.before), after: 0 };
        found.after = await countOverdueAlerts(trx, of, due.after);
        return {
          compareStored: (tally) => {
            for (const side of ['before', 'after'] as const) tally.addHits(side, counted, found[side]);
            return [];
          },
        };
      },
      explain: async () => () => undefined,
      sectionOf: ({ hitsOf }) => ({ ...hitsOf(counted) }),
    };
  },
};

/**
 * An organization without a first daily run is counted as if the rules had always been in force: from its first run on nothing
 * is overdue for a while, which says nothing about the rules. None under rules without due days, and none on a demo.
 */
async function countOverdueAlerts(
  trx: Trx,
  { organizationId, studentIds, asOf }: SimulatedStudents,
  due: DueSettings | null,
): Promise<number> {
  const start = due === null ? undefined : await dueStartOf(trx, organizationId);
  if (due === null || !start) return 0;
  const { timeZone, firstRunAt } = start;
  const run = { organizationId, timeZone, due, firstRunAt: firstRunAt ?? always };
  const items = await dueAlerts.items(trx, run, studentIds, new Date(asOf));
  const isOverdue = ({ today, next: { dueOn } }: (typeof items)[number]) => dueOn !== null && today > dueOn;
  return items.filter((item) => item.row.openedAt <= asOf && isOverdue(item)).length;
}
