// The `Link` header (RFC 8288), read in one pass: a server may write there what it likes.

export interface Link {
  readonly target: string;
  /** In lower case. */
  readonly relations: readonly string[];
}

/** Links whose target stands in angle brackets. */
export function linksIn(header: string | readonly string[] | undefined): Link[] {
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

/** `; rel="next last"`; what follows the value of another parameter is read over. */
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
