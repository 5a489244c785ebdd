// Checks that a session belongs to the caller, for diagnostics, practice and warm-ups.
import type { Scoped } from '#core/http/route.ts';
import { denied, notFound } from '#core/platform/errors.ts';
import { organizationOf } from '#identity/people/index.ts';

interface OfStudent {
  readonly studentId: number;
  readonly organizationId: string;
}

/**
 * Throws PERMISSION_DENIED for another student's row, NOT_FOUND for one that the tenant cannot see. `what`: the noun in
 * the message.
 */
export async function requireOwn<Row extends OfStudent>(
  caller: Parameters<typeof organizationOf>[0],
  row: Row | undefined,
  what: string,
): Promise<Scoped<Row>> {
  if (!row) throw notFound();
  if (row.studentId !== caller.actor.userId) throw denied(`This ${what} belongs to another student.`);
  return { row, organization: await organizationOf(caller, row.organizationId) };
}
