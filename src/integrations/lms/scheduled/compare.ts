// Compares a roster with the organization before anything is stored.
import type { Services } from '#core/module/services.ts';
import { connectionToday } from '../preview/assemble/build.ts';
import { ReadRoster } from '../preview/assemble/read-roster.ts';
import { unchangedRows } from '../preview/assemble/unchanged.ts';
import type { PreviewOrder } from '../preview/create.ts';
import { openSource } from '../provider.ts';

/** Returns the number of rows when none of them would change anything, else the roster. */
export async function compareRoster(
  services: Services,
  { connection: { organizationId, id: connectionId, provider }, courseExternalIds }: PreviewOrder,
  signal: AbortSignal | undefined,
): Promise<{ readonly unchanged: number } | { readonly roster: ReadRoster }> {
  const { connection, today } = await connectionToday(services, { organizationId, connectionId });
  const runSignal = connection.kind === 'csv' ? signal : services.lmsClient.runSignal(signal);
  const { guardianImport: guardians } = services.config.lms;
  const options = { guardians, today, ...(runSignal && { signal: runSignal }) };
  const roster = await ReadRoster.from(openSource(services, connection), courseExternalIds, options);
  const owner = { organizationId, provider, courseExternalIds: [...courseExternalIds] };
  const unchanged = await unchangedRows({ services, owner, roster, today, signal });
  return unchanged === undefined ? { roster } : { unchanged };
}
