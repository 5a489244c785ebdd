// Migrations have two phases, which their names state. `….expand` adds and runs at a start while processes of the previous
// release go on working; `….contract` removes and runs when an operator states that the last of them has ended. Names without a
// phase are the clean start, which creates a database.

const phases = ['expand', 'contract'] as const;
export type MigrationPhase = (typeof phases)[number];

/** Day, number, capability and phase: `20270110_01-reports.expand`. */
export const migrationFile = /^\d{8}_\d{2}-[a-z0-9-]+(\.(expand|contract))?\.ts$/;

/** Returns the phase; undefined for a migration of the clean start. */
export const phaseOf = (name: string): MigrationPhase | undefined => phases.find((phase) => name.endsWith(`.${phase}`));

/** Returns the known migrations that are to run, in their order. A database in which none has run gets both phases. */
export function toRun(known: readonly string[], applied: readonly string[], contract: boolean): string[] {
  const includesContract = contract || applied.length === 0;
  return known.filter((name) => !applied.includes(name) && (includesContract || phaseOf(name) !== 'contract'));
}
