// Finds the regular expression literals of a TypeScript source. It knows comments, strings, templates and where an
// expression may begin.

export interface Found {
  readonly source: string;
  readonly flags: string;
  readonly line: number;
}

/** A slash after one of these words begins an expression. After any other word it is a division. */
const wordsBeforeExpression = new Set(
  'await case delete do else in instanceof new of return throw typeof void yield'.split(' '),
);
const word = /[\w$\u0080-\uffff]/;

/** Returns the literals of one file, in order. */
export function literalsIn(text: string): Found[] {
  const found: Found[] = [];
  /** Brace depths at which a template continues. */
  const templates: number[] = [];
  let depth = 0;
  let at = 0;
  let before = '';

  const skipQuoted = (quote: string) => {
    for (at++; text[at] !== quote; at++) if (text[at] === '\\') at++;
    at++;
    before = quote;
  };
  const skipTemplate = () => {
    for (; at < text.length; at++) {
      if (text[at] === '\\') at++;
      else if (text[at] === '`') break;
      else if (text[at] === '$' && text[at + 1] === '{') {
        templates.push(depth++);
        at += 2;
        before = '{';
        return;
      }
    }
    at++;
    before = '`';
  };
  const takeLiteral = () => {
    const start = at + 1;
    let isInClass = false;
    for (at++; isInClass || text[at] !== '/'; at++) {
      if (text[at] === '\\') at++;
      else if (text[at] === '[') isInClass = true;
      else if (text[at] === ']') isInClass = false;
      else if (text[at] === '\n' || at >= text.length) throw new Error(`no expression: ${text.slice(start - 40, at)}`);
    }
    const [flags = ''] = /^[a-z]*/.exec(text.slice(at + 1, at + 10)) ?? [];
    const line = text.slice(0, start).split('\n').length;
    found.push({ source: text.slice(start, at), flags, line });
    at += 1 + flags.length;
    before = '/';
  };
  const takeWord = () => {
    const start = at;
    while (at < text.length && word.test(text[at] ?? '')) at++;
    before = text.slice(start, at);
  };

  while (at < text.length) {
    const unit = text[at] ?? '';
    if (text.startsWith('//', at)) at = endOf(text, '\n', at);
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at);
    else if (unit === '"' || unit === "'") skipQuoted(unit);
    else if (unit === '`') {
      at++;
      skipTemplate();
    } else if (unit === '}' && templates.at(-1) === depth - 1) {
      templates.pop();
      depth--;
      at++;
      skipTemplate();
    } else if (unit === '/' && mayBegin(before)) takeLiteral();
    else if (word.test(unit)) takeWord();
    else {
      if (unit === '{') depth++;
      if (unit === '}') depth--;
      if (unit.trim() !== '') before = unit;
      at++;
    }
  }
  return found;
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end + mark.length;
}

/** True when the token before the slash does not end a value. Statements here never begin with an expression. */
function mayBegin(before: string): boolean {
  if (before === '') return true;
  if (word.test(before)) return wordsBeforeExpression.has(before);
  return !')]}"\'`/'.includes(before);
}
