// The request context of the commands of live lessons.
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';

export interface LiveLessonCall {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

export interface CallWith<Body> extends LiveLessonCall {
  readonly body: Body;
}
