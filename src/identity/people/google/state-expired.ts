// The refusal of a sign-in by redirect that cannot go on.
import { AppError } from '#core/platform/errors.ts';

export const stateExpired = () =>
  new AppError('STATE_EXPIRED', 'This sign-in has expired or was used already; start again.');
