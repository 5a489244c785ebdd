// The constants of a warm-up, read from a pinned `scoring/measurement` document.
import { minuteMs } from '#core/platform/pure/dates/durations.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { type MeasurementDocument, measurementDocument, measurementNumbers } from '../../scoring/engine/values.ts';

export interface WarmupValues {
  readonly durationSeconds: number;
  readonly maxItems: number;
  readonly maxExpectedSeconds: number;
  /** Time from the start within which it can be resumed. */
  readonly resumableMs: number;
  /** How far below theta the items are, in logits. */
  readonly easierLogit: number;
}

/** Throws BundleError when the document is missing, RangeError when a constant is. */
export function readWarmupValues(bundle: RuleBundle): WarmupValues {
  const constant = measurementNumbers(bundle.values<MeasurementDocument>(measurementDocument));
  return {
    durationSeconds: constant('WRM-DUR-01'),
    maxItems: constant('WRM-MAX-01'),
    maxExpectedSeconds: constant('WRM-SEC-01'),
    resumableMs: constant('WRM-RES-01') * minuteMs,
    easierLogit: constant('WRM-OFF-01'),
  };
}

export const durationMs = ({ durationSeconds }: WarmupValues): number => durationSeconds * 1000;
