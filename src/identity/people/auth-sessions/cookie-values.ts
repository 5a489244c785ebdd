// Reads cookies of a request.

/** Browsers send the cookies of the longest paths first, so those of the service are among them. */
const maxCookies = 16;

/** Returns the values of the cookies with one of these names, in the order of the Cookie header. */
export const cookieValues = (header: string | undefined, names: readonly string[]): string[] =>
  (header ?? '')
    .split(';', maxCookies)
    .map((pair) => pair.trim().split('=', 2))
    .filter(([name = '']) => names.includes(name))
    .map(([, value = '']) => value);
