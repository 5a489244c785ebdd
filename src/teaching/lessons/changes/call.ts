// The request context of a change of a lesson.
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { ReachedLesson } from '../reads/scopes.ts';

export interface LessonChangeCall<Body> {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly body: Body;
  readonly now: Date;
}

export interface LessonCallOf<Body> extends LessonChangeCall<Body> {
  readonly scope: ReachedLesson;
}
