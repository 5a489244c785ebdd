// Typed reads of one environment. An empty string counts as not set.

/** Says in one line which setting is wrong and what it may be. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

export class Settings {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(name: string): string | undefined {
    return this.#environment[name]?.trim() || undefined;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    return this.optionalInteger(name, min, max) ?? fallback;
  }

  optionalInteger(name: string, min: number, max: number): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`);
    }
    return number;
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.text(name);
    if (value === undefined) return fallback;
    if (value !== 'true' && value !== 'false') throw new ConfigError(`${name} must be true or false.`);
    return value === 'true';
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}.`);
    return found;
  }

  url(name: string, protocols: readonly string[]): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      throw new ConfigError(`${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    }
    return value;
  }

  /** Separated by commas, each with its port: `[::1]:8443` for an address of version 6. */
  hosts(name: string): ReadonlySet<string> {
    const hosts = this.text(name)?.toLowerCase().split(',') ?? [];
    for (const host of hosts.map((one) => one.trim())) {
      if (!/^([a-z0-9.-]+|\[[0-9a-f:.]+\]):\d{1,5}$/.test(host)) {
        throw new ConfigError(`${name} must be a list of host:port, separated by commas.`);
      }
    }
    return new Set(hosts.map((one) => one.trim()));
  }

  /** An address to append paths to. */
  baseUrl(name: string): string | undefined {
    const value = this.url(name, ['http:', 'https:']);
    if (value === undefined) return undefined;
    const { origin, pathname, search, hash, username } = new URL(value);
    if (search || hash || username) throw new ConfigError(`${name} must be an address without login, ? and #.`);
    return `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '');
  }
}
