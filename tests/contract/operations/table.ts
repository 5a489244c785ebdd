// The agreed table of operations, with which the served routes are compared.
import fs from 'node:fs';
import path from 'node:path';
import type { DemoRule, Route } from '#core/http/route.ts';

/** A list: one of them suffices; `allOf`: all are needed. */
export type Permissions = 'public' | 'signed in' | readonly string[] | { readonly allOf: readonly string[] };

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** `/api/classes/{id}` */
  readonly path: string;
  readonly permissions: Permissions;
  readonly reach: string;
  readonly demo: DemoRule;
  readonly success: readonly number[];
}

const file = path.join(import.meta.dirname, 'operations.json');
export const operations = JSON.parse(fs.readFileSync(file, 'utf8')) as readonly Operation[];

const byId = new Map(operations.map((operation) => [operation.operationId, operation]));

export const tabled = (operationId: string): Operation | undefined => byId.get(operationId);

export const templateOf = (route: Route): string => route.path.replaceAll(/:(\w+)/g, '{$1}');
