// What a route is given before its caller is known, and ahead of its handler.
import type { Trx } from '../platform/db.ts';

/** Of the request alone: no caller, no transaction. */
export interface AdmitRequest<Services> {
  readonly services: Services;
  readonly params: Readonly<Record<string, string>>;
  readonly now: Date;
  readonly clientIp: string;
  header(name: string): string | undefined;
}

/** For questions that can be sent before the handler asks them. */
export interface AheadRequest<Services> {
  readonly services: Services;
  readonly trx: Trx;
  readonly now: Date;
}
