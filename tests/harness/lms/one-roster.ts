// A OneRoster service on loopback, versions 1.1 and 1.2: client credentials, classes, users, enrollments, and pages by
// links or by offset, as in the 1EdTech specification of the REST binding.
import type http from 'node:http';
import { type Answer, type AnsweringServer, json, type Received } from './answering-server.ts';

export type Row = Readonly<Record<string, unknown>> & { readonly sourcedId: string };

export interface OneRosterSettings {
  readonly version: '1.1' | '1.2';
  readonly classes: readonly Row[];
  readonly users: readonly Row[];
  readonly enrollments: readonly Row[];
  /** How a page refers to the next one. */
  readonly paging: 'link' | 'total' | 'nothing';
  /** Maximum rows of a page, whatever the request asks for. */
  readonly mostRows: number;
}

export interface OneRosterService {
  /** Base URL for the settings of a connection. */
  readonly baseUrl: string;
  readonly tokenUrl: string;
  readonly root: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Valid tokens. A removed one is answered with 401. */
  readonly tokens: Set<string>;
  /** The service issues no further token. */
  refusesTokens: boolean;
  settings: OneRosterSettings;
}

const roots = { '1.1': '/ims/oneroster/v1p1', '1.2': '/ims/oneroster/rostering/v1p2' } as const;

/** `instead` may respond to a request itself and then returns true. */
export function serveOneRoster(
  server: AnsweringServer,
  settings: Partial<OneRosterSettings> = {},
  instead: (received: Received, response: http.ServerResponse) => boolean = () => false,
): OneRosterService {
  const service: OneRosterService = {
    baseUrl: `${server.origin}/school`,
    tokenUrl: `${server.origin}/token`,
    root: `${server.origin}/school${roots[settings.version ?? '1.2']}`,
    clientId: 'client:1 &',
    clientSecret: 'only for/tests+1',
    tokens: new Set(),
    refusesTokens: false,
    settings: { version: '1.2', classes: [], users: [], enrollments: [], paging: 'link', mostRows: 100, ...settings },
  };
  const answer: Answer = (received, response) => {
    if (instead(received, response)) return;
    if (received.url.pathname === '/token') giveToken(service, received, response);
    else if (!received.url.pathname.startsWith('/school/')) json(response, {}, {}, 404);
    else if (!service.tokens.has(received.headers.authorization?.replace('Bearer ', '') ?? '')) {
      json(response, { imsx_codeMajor: 'failure' }, {}, 401);
    } else giveList(service, received, response);
  };
  server.begin(answer);
  return service;
}

function giveToken(
  service: OneRosterService,
  { method, headers, body }: Received,
  response: http.ServerResponse,
): void {
  const [id, secret] = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64')
    .toString()
    .split(':')
    .map((part) => decodeURIComponent(part.replaceAll('+', '%20')));
  const known = id === service.clientId && secret === service.clientSecret && !service.refusesTokens;
  const form = new URLSearchParams(body);
  if (method !== 'POST' || form.get('grant_type') !== 'client_credentials')
    json(response, { error: 'invalid_request' }, {}, 400);
  else if (!known) json(response, { error: 'invalid_client' }, {}, 401);
  else if (form.get('scope') === 'unknown') json(response, { error: 'invalid_scope' }, {}, 400);
  else {
    const token = `token-${service.tokens.size + 1}-${Date.now()}`;
    service.tokens.add(token);
    json(response, { access_token: token, token_type: 'bearer', expires_in: 3600 });
  }
}

function giveList(service: OneRosterService, { url }: Received, response: http.ServerResponse): void {
  const { settings, root } = service;
  const collection = `${url.origin}${url.pathname}`.replace(`${root}/`, '');
  if (collection !== 'classes' && collection !== 'users' && collection !== 'enrollments') {
    json(response, { imsx_codeMajor: 'failure', imsx_codeMinor: { unknownobject: true } }, {}, 404);
    return;
  }
  const rows = settings[collection];
  const offset = Number(url.searchParams.get('offset') ?? 0);
  const limit = Math.min(Number(url.searchParams.get('limit') ?? 100), settings.mostRows);
  json(
    response,
    { [collection]: rows.slice(offset, offset + limit) },
    pageHeaders(settings, { url, offset, limit, rows }),
  );
}

interface PagePlace {
  readonly url: URL;
  readonly offset: number;
  readonly limit: number;
  readonly rows: readonly Row[];
}

function pageHeaders({ paging }: OneRosterSettings, { url, offset, limit, rows }: PagePlace): http.OutgoingHttpHeaders {
  if (paging === 'nothing') return {};
  if (paging === 'total') return { 'x-total-count': String(rows.length) };
  const at = (from: number) => {
    const link = new URL(url);
    link.searchParams.set('limit', String(limit));
    link.searchParams.set('offset', String(from));
    return link.href;
  };
  const next = offset + limit < rows.length ? `<${at(offset + limit)}>; rel="next", ` : '';
  return { link: `${next}<${at(0)}>; rel="first"`, 'x-total-count': String(rows.length) };
}

/** A user of version 1.2, which has several roles. */
export const user12 = (sourcedId: string, role: string, more: object = {}): Row => ({
  sourcedId,
  ...{ status: 'active', enabledUser: 'true', givenName: 'سلمى', familyName: 'العتيبي' },
  roles: [{ roleType: 'primary', role, org: { sourcedId: 'org-1' } }],
  ...more,
});

/** A user of version 1.1. */
export const user11 = (sourcedId: string, role: string, more: object = {}): Row => ({
  sourcedId,
  ...{ status: 'active', enabledUser: true, givenName: 'سلمى', familyName: 'العتيبي', role },
  ...more,
});

export const enrollment = (
  sourcedId: string,
  classId: string,
  userId: string,
  role: string,
  more: object = {},
): Row => ({
  sourcedId,
  ...{ status: 'active', role, primary: 'false' },
  class: { href: 'x', sourcedId: classId, type: 'class' },
  user: { href: 'x', sourcedId: userId, type: 'user' },
  ...more,
});

export const classRow = (sourcedId: string, more: object = {}): Row => ({
  sourcedId,
  ...{ status: 'active', title: 'فصل', classCode: '3-أ', classType: 'homeroom', grades: ['03'] },
  ...more,
});
