// Class-wide work on groups takes turns: the row of the class is locked before anything else.
import { SchoolClass } from '../../people/index.ts';
import type { Trx } from '../../platform/db.ts';
import { notFound } from '../../platform/errors.ts';
import { lockRows } from '../../platform/locks.ts';
import type { ClassKey } from './class-groups.ts';

/** Until the transaction ends. NOT_FOUND for a class that has been removed. */
export async function lockClass(trx: Trx, { id, organizationId }: ClassKey): Promise<void> {
  const row = SchoolClass.query(trx).findOne({ id, organizationId }).select('id');
  if (!(await lockRows('class', 'change', row))) throw notFound();
}
