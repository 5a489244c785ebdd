// Turns the result of a check into an error response: the field that each code is about.
import { AppError, type ErrorDetail } from '#core/platform/errors.ts';
import type { CheckAnswer } from '../engine/assignments/activation-check.ts';

const fieldOf: Readonly<Record<string, string>> = {
  unknown_bundle: 'bundle_id',
  not_active: 'bundle_id',
  not_assignable: 'bundle_id',
  no_target: 'bundle_id',
  mode_not_offered: 'deliveryMode',
  already_open: 'bundle_id',
  capacity: 'bundle_id',
  unknown_code: 'overrideCode',
  wrong_scope: 'overrideCode',
  override_required: 'overrideCode',
  override_not_needed: 'overrideCode',
  invalid_transition: 'action',
  extend_limit: 'action',
  tier_bound: 'action',
};

const messages = {
  409: 'This does not fit what stands about the student’s support; see details.',
  422: 'The request is not valid; see details.',
} as const;

/** Throws the error of a refusal; returns when the check has passed. */
export function requirePassed(answer: CheckAnswer | undefined): void {
  if (!answer || !('issue' in answer)) return;
  const { status, issue, fields = [fieldOf[issue] ?? ''] } = answer;
  throw refusal(
    status,
    fields.map((field) => ({ field, issue })),
  );
}

export const refusal = (status: 409 | 422, details: readonly ErrorDetail[]) =>
  new AppError(status === 409 ? 'CONFLICT' : 'VALIDATION_ERROR', messages[status], { details });
