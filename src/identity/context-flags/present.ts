// Context flags as responses.
import type { Static } from 'typebox';
import type { FlagEffect } from '#rules/language/index.ts';
import { holdsOn } from './engine/period.ts';
import type { ContextFlagView } from './schemas.ts';
import type { ListedFlag } from './store.ts';

export type PresentedFlag = Static<typeof ContextFlagView>;

/** `today` is the organization's local date. */
export const presentFlag = (row: ListedFlag, effect: FlagEffect, today: string): PresentedFlag => ({
  flagId: row.id,
  studentId: row.studentId,
  flagCode: row.flagCode,
  effect,
  effectiveFrom: row.effectiveFrom,
  effectiveTo: row.effectiveTo,
  active: row.isNewest && holdsOn(row, today),
  setBy: row.setBy,
  setAt: row.setAt,
});
