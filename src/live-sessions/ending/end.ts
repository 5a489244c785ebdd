// A live session ends: by its teacher, or by itself.
import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import { moveLive } from '../control/move.ts';
import type { LiveSessionRow } from '../rows/session.ts';

/** The row as it is now; it is locked. `actorUserId`: null where the service ends it. CONFLICT `invalid_transition`. */
export const endLive = async (
  trx: Trx,
  _services: Services,
  row: LiveSessionRow,
  now: Date,
  _actorUserId: number | null,
): Promise<LiveSessionRow> => moveLive(trx, row, { kind: 'control', action: 'end' }, now);
