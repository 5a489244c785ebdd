// Who asks for a change of a blueprint session, of which session, and with what.
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { ReachedSession } from '../reads/scopes.ts';

export interface Call<Body> {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly body: Body;
  readonly now: Date;
}

export interface SessionCallOf<Body> extends Call<Body> {
  readonly scope: ReachedSession;
}
