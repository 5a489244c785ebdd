// Where the rostering service of a OneRoster provider begins, newest version first.

/** Of OneRoster 1.2 and 1.1. */
const roots = ['/ims/oneroster/rostering/v1p2', '/ims/oneroster/v1p1'] as const;

/** `baseUrl`: what stands before the root, or one of the roots itself. Without a slash at their ends. */
export function rootsOf(baseUrl: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  const base = `${origin}${pathname}`.replace(/\/+$/, '');
  return roots.some((root) => base.endsWith(root)) ? [base] : roots.map((root) => base + root);
}
