// How a check looks for what must not be. Capabilities declare their probes as values, so that the registry knows no capability.
import type { AlertKind } from '#core/module/alerts.ts';
import type { Services } from '#core/module/services.ts';
import type { Queues } from '#core/platform/queue/queue.ts';
import type { Bindings } from '#core/platform/sql.ts';

export const checkKinds = ['runtime', 'audit'] as const;
/** Each minute, or when somebody asks and once a day. */
export type CheckKind = (typeof checkKinds)[number];

export interface Finding {
  readonly organizationId: string | null;
  /** Of the subject of the check. */
  readonly id: string;
  readonly studentId: number | null;
}

/** What a probe found at one moment: how many, and the first of them by their ids. */
export interface Found {
  readonly violations: number;
  readonly findings: readonly Finding[];
}

export interface Looking {
  readonly services: Services;
  readonly now: Date;
  /** Seconds from which on it counts, of the document in force. */
  readonly threshold: number;
}

interface About {
  /** Its id, `TWO_OPEN_ALERTS`. */
  readonly check: string;
  readonly kind: CheckKind;
  /** What a finding is about: `student`, `event`. */
  readonly subject: string;
  /** It is about what workers take up: what waits at the first look of a process has had nobody to take it up. */
  readonly waits?: true;
}

/**
 * `findings`: SQL of rows `organization_id`, `id` (text) and `student_id`, with `:now`, `:threshold` (seconds) and what `bind`
 * answers. An audit of an organization is asked in its context, with `:organizationId`; all others see every organization.
 */
interface Statement extends About {
  readonly of: 'organization' | 'platform';
  readonly findings: string;
  readonly bind?: Bindings;
}

/** Where SQL does not suffice. */
interface Look extends About {
  readonly of: 'platform';
  look(looking: Looking, queues: Queues | undefined): Promise<Found>;
}

/** Nothing is looked for: its alert is opened where it happens. */
interface Told extends About {
  readonly of: null;
}

/** One that is looked for. */
export type Search = Statement | Look;
export type Probe = Search | Told;

export const toldAtOnce = (alert: AlertKind & { readonly code: string }): Probe => ({
  check: alert.code,
  kind: 'runtime',
  subject: alert.subject,
  of: null,
});

/** Findings that are named; all are counted. */
export const mostNamed = 100;

export const foundOf = (findings: readonly Finding[]): Found => ({
  violations: findings.length,
  findings: findings.slice(0, mostNamed),
});
