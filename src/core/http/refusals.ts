// Refusals of authenticated callers: missing permissions, and changes of the demo organization.
import { AppError, denied } from '../platform/errors.ts';
import type { Actor, Allow, Route, Scoped } from './route.ts';

export function requirePermission(allow: Allow<string>, actor: Actor): void {
  if (allow === 'public' || allow === 'signed in') return;
  const held = (permission: string) => actor.permissions.has(permission);
  const enough = 'allOf' in allow ? allow.allOf.every(held) : allow.some(held);
  if (enough) return;
  throw actor.withheld?.size ? withheld() : denied();
}

const withheld = () =>
  new AppError('PERMISSION_DENIED', 'This needs a sign-in with a second factor.', {
    details: [{ field: '', issue: 'second_factor_required' }],
  });

export function refuseDemo(route: Route, actor: Actor, scoped: Scoped<unknown>): void {
  if (route.demo !== 'blocked') return;
  if (actor.isDemo || scoped.organization?.isDemo) throw demoReadOnly();
}

export const demoReadOnly = () =>
  new AppError('DEMO_READ_ONLY', 'The demo organization cannot be changed. Sign in to the sandbox to try this.');
