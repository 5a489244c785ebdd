// Where changes stand in the timeline: their newest activation or plan.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { isOvertaken } from '#rules/rulesets/index.ts';
import type { activationStates } from '../enums.ts';
import type { Pins } from './bases.ts';
import { type ChangeDocument, nameOfDocument } from './store.ts';

export interface ChangeActivation {
  /** `a12` for an activation, `s3` for a plan. */
  readonly entryId: string;
  readonly state: (typeof activationStates)[number];
  readonly activeFrom: string;
}

interface EntryRow {
  readonly changeId: string;
  readonly entryId: string;
  readonly activeFrom: string;
  /** Of a plan that has ended otherwise than by its activation. */
  readonly outcome: 'refused' | 'withdrawn' | null;
  readonly isAhead: boolean;
}

const newest = `
  select distinct on (e.change_id) e.* from (
    select a.change_id, 'a' || a.id as entry_id, a.active_from, a.created_at, a.id as number, null::text as outcome,
      a.active_from > :now::timestamptz and not ${isOvertaken} as is_ahead
    from rule_activation a where a.change_id = any(:ids::text[]) and a.kind <> 'rollback'
    union all
    select s.change_id, 's' || s.id, s.active_from, s.created_at, s.id, d.outcome, d.outcome is null
    from rule_schedule s left join rule_schedule_end d on d.schedule_id = s.id
    where s.change_id = any(:ids::text[]) and d.outcome is distinct from 'activated') e
  order by e.change_id, e.created_at desc, e.number desc`;

export interface PublishedDocuments {
  readonly id: string;
  readonly documents: readonly ChangeDocument[];
}

/** Returns the newest entry of each change; `in_force` where all of its versions are. */
export async function activationsOf(
  trx: Trx,
  changes: readonly PublishedDocuments[],
  pins: Pins,
  now: Date,
): Promise<ReadonlyMap<string, ChangeActivation>> {
  if (changes.length === 0) return new Map();
  const rows = await rowsOf<EntryRow>(trx, newest, { ids: changes.map(({ id }) => id), now: now.toISOString() });
  const documents = new Map(changes.map((one) => [one.id, one.documents]));
  return new Map(
    rows.map(({ changeId, entryId, activeFrom, outcome, isAhead }) => {
      const state = isInForce(documents.get(changeId) ?? [], pins)
        ? 'in_force'
        : (outcome ?? (isAhead ? 'scheduled' : 'past'));
      return [changeId, { entryId, state, activeFrom }];
    }),
  );
}

/** Whether all versions of a published change are in force. */
export const isInForce = (documents: readonly ChangeDocument[], pins: Pins): boolean =>
  documents.length > 0 && documents.every((one) => pins[nameOfDocument(one)] === one.version);
