// Counts the rows of a table that a reader of evidence reads, from the executed plan of its first statement.
import type { EvidenceReader, EvidenceRequest } from '#assessment/measurement/evidence/reader.ts';
import { type Db, inContext } from '#core/platform/db.ts';

interface Node {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Returns the rows of `table` and its partitions that are read, including filtered ones. */
export async function rowsRead(
  db: Db,
  reader: EvidenceReader,
  request: EvidenceRequest,
  table: string,
): Promise<number> {
  return inContext(db, { organizationId: request.organizationId }, async (trx) => {
    const sent: { sql: string; bindings: readonly unknown[] }[] = [];
    const note = (query: (typeof sent)[number]) => sent.push(query);
    trx.on('query', note);
    await reader(trx, request);
    trx.removeListener('query', note);
    const [{ sql, bindings } = { sql: '', bindings: [] }] = sent;
    const text = `explain (analyze, format json) ${sql.replaceAll(/\$\d+/g, '?')}`;
    const { rows } = await trx.raw(text, [...bindings] as never);
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan)
      .filter((node) => node['Relation Name']?.startsWith(table))
      .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
      .reduce((sum, count) => sum + count, 0);
  });
}
