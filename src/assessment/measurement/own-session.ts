// Whose a session is: the one place that says so, for diagnostics, practice and warm-ups.
import type { Scoped } from '#core/http/route.ts';
import { denied, notFound } from '#core/platform/errors.ts';
import { organizationOf } from '#identity/people/index.ts';

interface OfStudent {
  readonly studentId: number;
  readonly organizationId: string;
}

/** Another student's is PERMISSION_DENIED, one that the tenant cannot see NOT_FOUND. `what`: the word for it. */
export async function ownOnly<Row extends OfStudent>(
  asking: Parameters<typeof organizationOf>[0],
  row: Row | undefined,
  what: string,
): Promise<Scoped<Row>> {
  if (!row) throw notFound();
  if (row.studentId !== asking.actor.userId) throw denied(`This ${what} belongs to somebody else.`);
  return { row, organization: await organizationOf(asking, row.organizationId) };
}
