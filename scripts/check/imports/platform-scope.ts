// The code that may see the rows of all organizations. It uses the platform's login, to which row-level security does not
// apply: `npm run check` refuses a file that is in no list here, and an entry that is not needed.
import type { Sources } from './sources.ts';

/** Files by the reason. None of them is the work of a route that a teacher, a parent or a student may call. */
export const platformScope: Readonly<Record<string, readonly string[]>> = {
  'the organization is not known yet: sign-in, sessions, recovery, streams': [
    'src/app/app.ts',
    'src/core/http/batched-reads.ts',
    'src/messaging/notifications/services.ts',
    'src/messaging/notifications/stream/stream-slots.ts',
    'src/identity/people/google/exchange.ts',
    'src/identity/people/google/sign-in.ts',
    'src/identity/people/attempts/attempts.ts',
    'src/identity/people/attempts/attempt-reservations.ts',
    'src/identity/people/quick-codes/quick-codes.ts',
    'src/identity/people/second-factor/verify.ts',
    'src/identity/people/second-factor/prove-owner.ts',
    'src/identity/people/auth-sessions/refresh-limit.ts',
    'src/identity/people/auth-sessions/auth-sessions.ts',
    'src/identity/people/sign-in/sign-in.ts',
    'src/identity/people/workbench-session/session.ts',
    'src/integrations/lms/oauth/finish.ts',
    'src/integrations/lms/oauth/states.ts',
  ],
  'there is no sign-in: the teaser, the start page, demo data, a start': [
    'src/app/demo/routes.ts',
    'src/app/demo/seed.ts',
    'src/app/demo/start.ts',
    'src/app/home/routes.ts',
    'src/app/home/workbench-start.ts',
    'src/app/start-refusals.ts',
    'src/assessment/teaser/unavailable.ts',
  ],
  'the backoffice: a SUPER caller until the resource is found, rules, checks, operations': [
    'src/support/decision-packets/packets/check-approver.ts',
    'src/core/http/pipeline.ts',
    'src/assessment/measurement/calibration/answers.ts',
    'src/backoffice/operations/work-metrics.ts',
    'src/backoffice/operations/qa.ts',
    'src/backoffice/operations/watch.ts',
    'src/messaging/qa/audit/summary.ts',
    'src/backoffice/workbench/explain/routes.ts',
    'src/backoffice/workbench/ledger/verify.ts',
    'src/backoffice/workbench/live/thread/reads.ts',
    'src/backoffice/workbench/qa.ts',
  ],
  'the relay, sweeps, schedules and jobs that go over all organizations': [
    'src/outcomes/aggregates/rollups/jobs.ts',
    'src/core/module/request-queue.ts',
    'src/core/module/reencryption.ts',
    'src/teaching/live-lessons/ending/jobs.ts',
    'src/integrations/lms/providers/unreadable.ts',
    'src/integrations/lms/scheduled/schedule.ts',
    'src/integrations/lms/turns/open-jobs.ts',
    'src/core/long-jobs/lease.ts',
    'src/core/long-jobs/queued-jobs.ts',
    'src/assessment/measurement/diagnostics/jobs.ts',
    'src/messaging/notifications/dispatch/jobs.ts',
    'src/backoffice/operations/ledger-years.ts',
    'src/backoffice/operations/outbox-retention.ts',
    'src/backoffice/operations/retention/purge.ts',
    'src/identity/people/accounts/email-conflicts.ts',
    'src/core/platform/outbox-metrics.ts',
    'src/messaging/qa/audit/jobs.ts',
    'src/messaging/qa/audit/run.ts',
    'src/messaging/qa/probes/find.ts',
    'src/messaging/qa/announce-alerts.ts',
    'src/messaging/documents/rows/turns.ts',
    'src/backoffice/workbench/activation/recompute.ts',
    'src/backoffice/workbench/activation/schedule.ts',
    'src/backoffice/workbench/impact/steps/model.ts',
    'src/backoffice/workbench/impact/steps/platform.ts',
    'src/backoffice/workbench/ledger/attest.ts',
    'src/backoffice/workbench/ledger/rewards.ts',
    'src/backoffice/workbench/ledger/seal.ts',
    'src/backoffice/workbench/reference-engine/fallback.ts',
    'src/backoffice/workbench/replays/model.ts',
    'src/backoffice/workbench/replays/nightly.ts',
    'workers/days.ts',
    'workers/relay.ts',
    'workers/retries.ts',
  ],
  'a row of the platform beside the work of a route: an alert, a security event, a read of the platform’s own reports':
    [
      'src/outcomes/parents/alerts.ts',
      'src/identity/people/personal-data/mentions.ts',
      'src/messaging/qa/log/record-findings.ts',
      'src/identity/security-events/recorder.ts',
    ],
};

/** The module through which all others get these rows. */
const database = 'src/core/platform/db.ts';

const queries = [
  /\b(?:inContext|inReadOnlyContext|readTransactionIn|bulkReadingIn|enterContext)\(\s*[\w.#]+,\s*'SUPER'/,
  /[?:]\s*\(?'SUPER'(?: as const\))?\s*:\s*\{ ?organizationId/,
  /\b(?:onPlatform|besides)\(/,
];

/** Returns the findings about the files of `sources`. */
export function platformFindings(sources: Sources, allowed = platformScope): string[] {
  const listed = new Set(Object.values(allowed).flat());
  const reading = [...sources]
    .filter(([file, text]) => file !== database && readsAllOrganizations(text))
    .map(([file]) => file);
  return [
    ...reading
      .filter((file) => !listed.has(file))
      .map(
        (file) =>
          `${file} reads the rows of all organizations, and is in no list of scripts/check/imports/platform-scope.ts`,
      ),
    ...[...listed]
      .filter((file) => !reading.includes(file))
      .map((file) => `${file} is in scripts/check/imports/platform-scope.ts, and reads no rows of all organizations`),
  ];
}

const readsAllOrganizations = (text: string): boolean => queries.some((pattern) => pattern.test(text));
