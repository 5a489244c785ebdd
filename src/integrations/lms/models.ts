// The sources of rosters that this process has, and the one way to open a connection's.
import type { Services } from '#core/module/services.ts';
import type { LmsConnection } from './connections/rows.ts';
import type { ProviderModel, RosterProvider } from './provider.ts';

declare module '#core/module/capability.ts' {
  interface Capability {
    readonly rosterSources?: readonly ProviderModel[];
  }
}

/** Throws RangeError for a kind of connection that nobody brings. */
export function openSource(services: Services, connection: LmsConnection): RosterProvider {
  const models = services.capabilities.flatMap(({ rosterSources = [] }) => rosterSources);
  const model = models.find(({ provider, kind }) => provider === connection.provider && kind === connection.kind);
  if (!model) throw new RangeError(`nobody reads ${connection.provider} by ${connection.kind}`);
  return model.open(services, connection);
}
