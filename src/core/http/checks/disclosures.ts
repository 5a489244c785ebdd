// Records every document about people that an answer contains, in the transaction of the answer. A document that cannot be
// recorded is not given out.
import type { Trx } from '../../platform/db.ts';
import type { Answer, Disclosure } from '../answers.ts';
import type { Guards, Writer } from '../guards.ts';
import type { Route } from '../route.ts';

/** Whether the transaction of the route writes; reads of documents write who has read them. */
export const isWritten = ({ readOnly, discloses }: Pick<Route, 'readOnly' | 'discloses'>): boolean =>
  !readOnly || discloses.length > 0;

interface Disclosed {
  readonly route: Pick<Route, 'discloses' | 'operation'>;
  readonly deps: { readonly guards?: Guards };
  readonly now: Date;
}

/** The caller has named the writer of the transaction. Throws an Error if the answer does not match the route; it is then not sent. */
export async function recordDisclosures(
  trx: Trx,
  { route, deps, now }: Disclosed,
  writer: Writer,
  answer: Answer,
): Promise<void> {
  const documents = disclosuresOf(route, answer);
  if (documents.length > 0) await deps.guards?.recordReads(trx, writer, documents, now);
}

function disclosuresOf({ discloses, operation }: Disclosed['route'], answer: Answer): readonly Disclosure[] {
  const given = answer.discloses;
  if ((given === undefined) !== (discloses.length === 0)) {
    throw new Error(`${operation} and its answer differ in whether documents are given out`);
  }
  const other = given?.find(({ document }) => !discloses.includes(document));
  if (other) throw new Error(`${operation} does not declare that it gives out: ${other.document}`);
  return given ?? [];
}
