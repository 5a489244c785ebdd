// What a capability tells the people who run the service, or a class's teachers: one door to the alert log, and the kinds
// that may come through it as values, which capabilities list.
import type { Trx } from '../platform/db.ts';

/** Worst first. */
export const alertSeverities = ['critical', 'high', 'medium', 'low'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];
export const alertKinds = ['qa', 'sub_flag'] as const;

export interface AlertKind {
  readonly kind: (typeof alertKinds)[number];
  /** Null: code and severity are said by a rule document. */
  readonly code: string | null;
  readonly severity: AlertSeverity | null;
  /** When it opens. */
  readonly summary: string;
}

interface NewAlert {
  /** The platform's own for what concerns everybody; the transaction has to be in its context. */
  readonly organizationId: string;
  /** What it is opened once for. */
  readonly dedupeKey: string;
  readonly details: object;
  readonly at: Date | string;
  /** Further columns: whom it is about, by which version of a document, and what a rule document says. */
  readonly about?: Readonly<Record<string, string | number>>;
}

/** Once for each `dedupeKey` of an organization. */
export async function openAlert(trx: Trx, { kind, code, severity }: AlertKind, alert: NewAlert): Promise<void> {
  const { organizationId, dedupeKey, details, at, about } = alert;
  await trx('platform_alert')
    .insert({ organizationId, kind, code, severity, ...about, dedupeKey, details: JSON.stringify(details), at })
    .onConflict()
    .ignore();
}
