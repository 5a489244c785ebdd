// How a check finds violations. Capabilities declare probes as values, so the registry depends on no capability.
import type { AlertKind } from '#core/module/alerts.ts';
import type { Services } from '#core/module/services.ts';
import type { Queues } from '#core/platform/queue/queue.ts';
import type { Bindings } from '#core/platform/sql.ts';

export const checkKinds = ['runtime', 'audit'] as const;
/** A runtime check runs each minute; an audit runs on request and once a day. */
export type CheckKind = (typeof checkKinds)[number];

export interface ProbeFinding {
  readonly organizationId: string | null;
  /** Id of the subject of the check. */
  readonly id: string;
  readonly studentId: number | null;
}

/** The result of a probe at one moment: the number of violations, and the first of them by id. */
export interface Found {
  readonly violations: number;
  readonly findings: readonly ProbeFinding[];
}

export interface Looking {
  readonly services: Services;
  readonly now: Date;
  /** Seconds from which a violation counts, from the document in force. */
  readonly threshold: number;
}

interface About {
  /** The id, for example `TWO_OPEN_ALERTS`. */
  readonly check: string;
  readonly kind: CheckKind;
  /** The subject of a finding, for example `student` or `event`. */
  readonly subject: string;
  /**
   * The check is about work that waits for workers; the first run of a process skips it, since the workers may have been
   * stopped.
   */
  readonly waits?: true;
}

/**
 * `findings`: SQL of rows `organization_id`, `id` (text) and `student_id`, with `:now`, `:threshold` (seconds) and the
 * bindings of `bind`. An audit of an organization runs in its context, with `:organizationId`; all others see every
 * organization.
 */
interface Statement extends About {
  readonly of: 'organization' | 'platform';
  readonly findings: string;
  readonly bind?: Bindings | ((looking: Looking) => Promise<Bindings>);
}

/** For checks that SQL alone cannot express. */
interface Look extends About {
  readonly of: 'platform';
  look(looking: Looking, queues: Queues | undefined): Promise<Found>;
}

/** Has no search: the alert is opened where the violation happens. */
interface DirectReport extends About {
  readonly of: null;
}

/** A probe that searches. */
export type Search = Statement | Look;
export type Probe = Search | DirectReport;

export const reportedDirectly = (alert: AlertKind & { readonly code: string }): Probe => ({
  check: alert.code,
  kind: 'runtime',
  subject: alert.subject,
  of: null,
});

/** The most findings that are named; all are counted. */
export const maxNamed = 100;

export const foundOf = (findings: readonly ProbeFinding[]): Found => ({
  violations: findings.length,
  findings: findings.slice(0, maxNamed),
});
