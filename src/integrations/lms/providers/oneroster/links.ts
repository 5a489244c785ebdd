// Parses the `Link` header (RFC 8288) in one pass, because a server may send any text in it.
export interface Link {
  readonly target: string;
  /** These are in lower case. */
  readonly relations: readonly string[];
}

/** Returns the links whose target is in angle brackets. */
export function parseLinks(header: string | readonly string[] | undefined): Link[] {
  const text = [header ?? []].flat().join(', ');
  const links: Link[] = [];
  for (let open = text.indexOf('<'); open !== -1; ) {
    const close = text.indexOf('>', open);
    if (close === -1) break;
    const next = text.indexOf('<', close);
    links.push({
      target: text.slice(open + 1, close),
      relations: relationsIn(text.slice(close + 1, next === -1 ? text.length : next)),
    });
    open = next;
  }
  return links;
}

/** Reads `; rel="next last"` and skips other parameters. */
function relationsIn(parameters: string): string[] {
  return parameters.split(';').flatMap((parameter) => {
    const [name = '', value = ''] = parameter.split('=', 2);
    if (name.trim().toLowerCase() !== 'rel') return [];
    return value
      .toLowerCase()
      .split(/[\s",]/)
      .filter((word) => word !== '');
  });
}
