// The kinds of values of environment variables, and how they are read. An empty string counts as not set.

/** A message of one line that names the wrong setting and its allowed values. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The allowed values of a variable: a description for the documentation, and a parser that throws ConfigError. */
export interface SettingKind<T> {
  readonly bounds: string;
  readonly parse: (value: string, name: string) => T;
}

export type NeededBy = 'API' | 'worker' | 'API, worker';

export interface Variable<T> {
  readonly name: string;
  readonly meaning: string;
  readonly bounds: string;
  /** The default as the documentation prints it; undefined if there is none. */
  readonly fallback: string | undefined;
  readonly neededBy: NeededBy;
  /** Returns the default where the variable is not set; throws ConfigError where its value is wrong. */
  readonly read: (environment: Environment, production: boolean) => T;
}

interface Described {
  readonly name: string;
  readonly neededBy: NeededBy;
  readonly meaning: string;
}

/** A variable without a default: undefined if it is not set. */
export const optional = <T>(kind: SettingKind<T>, described: Described): Variable<T | undefined> => ({
  ...described,
  bounds: kind.bounds,
  fallback: undefined,
  read: (environment) => readValue(environment, described.name, kind),
});

export const withDefault = <T>(kind: SettingKind<T>, fallback: NoInfer<T>, described: Described): Variable<T> =>
  withDefaults(kind, { production: fallback, elsewhere: fallback }, described);

/** A variable with one default in production and another one elsewhere. */
export const withDefaults = <T>(
  kind: SettingKind<T>,
  { production, elsewhere }: { readonly production: NoInfer<T>; readonly elsewhere: NoInfer<T> },
  described: Described,
): Variable<T> => ({
  ...described,
  bounds: kind.bounds,
  fallback: production === elsewhere ? `\`${elsewhere}\`` : `\`${elsewhere}\`, in production \`${production}\``,
  read: (environment, isProduction) =>
    readValue(environment, described.name, kind) ?? (isProduction ? production : elsewhere),
});

function readValue<T>(environment: Environment, name: string, kind: SettingKind<T>): T | undefined {
  const value = environment[name]?.trim();
  return value ? kind.parse(value, name) : undefined;
}

export const textSetting: SettingKind<string> = { bounds: 'text', parse: (value) => value };

export const integerSetting = (min: number, max: number): SettingKind<number> => ({
  bounds: `${min} to ${max}`,
  parse(value, name) {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`);
    }
    return number;
  },
});

export const flagSetting: SettingKind<boolean> = {
  bounds: '`true` or `false`',
  parse(value, name) {
    if (value !== 'true' && value !== 'false') throw new ConfigError(`${name} must be true or false.`);
    return value === 'true';
  },
};

export const oneOfSetting = <const T extends string>(allowed: readonly T[]): SettingKind<T> => ({
  bounds: allowed.map((one) => `\`${one}\``).join(', '),
  parse(value, name) {
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}.`);
    return found;
  },
});

export const url = (...schemes: readonly string[]): SettingKind<string> => ({
  bounds: `URL with ${schemes.map((scheme) => `\`${scheme}://\``).join(' or ')}`,
  parse(value, name) {
    if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol.slice(0, -1))) {
      const beginnings = schemes.map((scheme) => `${scheme}://`).join(' or ');
      throw new ConfigError(`${name} must be a URL that starts with ${beginnings}`);
    }
    return value;
  },
});

/** An address to which paths are appended. The value has no trailing slash. */
export const baseUrl: SettingKind<string> = {
  bounds: 'URL with `http://` or `https://`, without login, `?` and `#`',
  parse(value, name) {
    const { origin, pathname, search, hash, username } = new URL(url('http', 'https').parse(value, name));
    if (search || hash || username) throw new ConfigError(`${name} must be an address without login, ? and #.`);
    return `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '');
  },
};

/** Hosts with ports, separated by commas: `[::1]:8443` for an IPv6 address. The values are in lower case. */
export const hosts: SettingKind<ReadonlySet<string>> = {
  bounds: '`host:port`, separated by commas',
  parse(value, name) {
    const all = value.split(',').map((host) => host.trim().toLowerCase());
    for (const host of all) {
      if (!/^([a-z0-9.-]+|\[[0-9a-f:.]+\]):\d{1,5}$/.test(host)) {
        throw new ConfigError(`${name} must be a list of host:port, separated by commas.`);
      }
    }
    return new Set(all);
  },
};
