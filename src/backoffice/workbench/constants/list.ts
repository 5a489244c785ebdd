// The constants of the documents in force: one number each, however many documents quote it.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { documentName, isTable, leavesOf, type RuleDocument } from '#rules/rulesets/index.ts';

interface LastChange {
  readonly changeId: string;
  readonly title: string;
  readonly at: string;
}

/** The newest change of each constant that came into force. */
const lastChanges = `
  select distinct on (k.id) k.id, c.id as change_id, c.title, a.active_from as at
  from rule_activation a join rule_change c on c.id = a.change_id
  join rule_change_document d on d.change_id = c.id
  cross join lateral jsonb_to_recordset(d.constants) as k (id text)
  where a.kind <> 'rollback' and a.active_from <= :now::timestamptz and (:id::text is null or k.id = :id)
  order by k.id, a.id desc`;

async function lastChangesOf(trx: Trx, id: string | null, now: Date): Promise<ReadonlyMap<string, LastChange>> {
  const rows = await rowsOf<LastChange & { id: string }>(trx, lastChanges, { id, now: now.toISOString() });
  return new Map(rows.map(({ id: constantId, ...change }) => [constantId, change]));
}

/** Returns all constants in force, by id. Throws ENGINE_UNAVAILABLE without rules. */
export async function listConstants({ rules }: Pick<Services, 'rules'>, trx: Trx, now: Date) {
  const { documents } = (await rules.at(trx, now)).rules;
  const last = await lastChangesOf(trx, null, now);
  const ids = new Set(documents.flatMap(({ constants = {} }) => Object.keys(constants)));
  return [...ids].sort().map((id) => presentConstant(id, holding(documents, id), last.get(id) ?? null));
}

/** Throws NOT_FOUND for a constant that no document in force holds. */
export async function readConstant({ rules }: Pick<Services, 'rules'>, trx: Trx, id: string, now: Date) {
  const documents = holding((await rules.at(trx, now)).rules.documents, id);
  if (documents.length === 0) throw notFound();
  return presentConstant(id, documents, (await lastChangesOf(trx, id, now)).get(id) ?? null);
}

const holding = (documents: readonly RuleDocument[], id: string): readonly RuleDocument[] =>
  documents.filter(({ constants = {} }) => Object.hasOwn(constants, id));

function presentConstant(constantId: string, documents: readonly RuleDocument[], lastChange: LastChange | null) {
  const constant = documents[0]?.constants?.[constantId];
  return {
    constantId,
    value: constant?.value ?? null,
    unit: constant?.unit ?? null,
    rationale: constant?.rationale ?? '',
    documents: documents.map(documentName).sort(),
    facts: documents.flatMap((one) => factsOf(one, constantId)),
    lastChange,
  };
}

/** The facts that are compared with the constant. */
function factsOf(document: RuleDocument, id: string) {
  if (!isTable(document)) return [];
  const { family, key } = document.meta;
  const leaves = document.rules.flatMap(({ conditions }) => leavesOf(conditions));
  const facts = new Set(leaves.filter(({ valueRef }) => valueRef === id).map(({ fact }) => fact));
  return [...facts].sort().map((fact) => ({ family, key, fact }));
}
