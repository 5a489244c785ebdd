// Where the rostering service of a OneRoster provider begins, newest version first.

/** Of OneRoster 1.2 and 1.1. */
const roots = ['/ims/oneroster/rostering/v1p2', '/ims/oneroster/v1p1'] as const;

const versioned = /\/v1p[12]$/i;

/** `baseUrl`: what stands before the root, or a root of one version, wherever it is. Without a slash at their ends. */
export function rootsOf(baseUrl: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  const base = withoutSlashes(`${origin}${pathname}`);
  return versioned.test(base) ? [base] : roots.map((root) => base + root);
}

function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
