import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import type { Problem } from '@partner-portal/contract/errors.ts';
import { type RouteName, routes } from '@partner-portal/contract/index.ts';
import { DEMO } from '@partner-portal/service/quick-start/seed-workspace.ts';
import type { System } from './system.ts';

/** Everyone who may call a route: staff and users of two partners, and four unauthenticated callers. */
export const CALLER_NAMES = ['staff', 'owner', 'moderator', 'clientUser', 'otherClientUser', 'rivalOwner', 'rivalClientUser'] as const;
export type CallerName = (typeof CALLER_NAMES)[number];
export const UNAUTHENTICATED = ['withoutToken', 'expiredToken', 'malformedToken', 'foreignSignature'] as const;
export type Unauthenticated = (typeof UNAUTHENTICATED)[number];

type Claims = { role: 'ADMIN' | 'PARTNER' | 'CLIENT'; partnerId: string; partnerRole?: 'admin' | 'moderator'; clientId?: string };
export type Caller = { claims: Claims; token(): string };
export type Callers = Record<CallerName, Caller>;
export type RouteResponse = { status: number; text: string; type: string; requestId: string; problem: Problem | undefined };

/** Requests per user and minute are limited, so each caller is several users who differ only by id. */
const PEOPLE_PER_SEAT = 12;

/** Creates the users behind each caller; `domain` separates the addresses of a second set, `count` users share each. */
export async function createCallers(
  system: Pick<System, 'settings' | 'query'>,
  facts: Record<CallerName, Claims>,
  domain = 'callers.example',
  count = PEOPLE_PER_SEAT,
): Promise<Callers> {
  const secret = system.settings()['JWT_SECRET'] ?? '';
  const entries = await Promise.all(
    CALLER_NAMES.map(async (caller): Promise<[CallerName, Caller]> => {
      const claims = facts[caller];
      const people = await system.query<{ id: string; email: string }>(
        `insert into app_user (email, full_name, role, partner_id, partner_role, client_id, sessions_valid_from)
         select lower($1) || n || '@' || $7, $1, $2, $3, $4, $5, now() - interval '1 minute' from generate_series(1, $6) n returning id, email`,
        [caller, claims.role, claims.partnerId, claims.partnerRole ?? null, claims.clientId ?? null, count, domain],
      );
      let turn = 0;
      return [caller, { claims, token: () => signSession(secret, claims, people[turn++ % people.length] ?? { id: '', email: '' }) }];
    }),
  );
  return Object.fromEntries(entries) as Callers; // one entry per caller, from the list the type is made of
}

/** Returns a session of this person, as the service itself would sign it. */
export function signSession(secret: string, claims: Claims, person: { id: string; email: string }, lifeSeconds = 3_600): string {
  const iat = Math.floor(Date.now() / 1000) - 30;
  const exp = lifeSeconds > 0 ? iat + lifeSeconds : iat - 60;
  const payload = {
    sub: person.id,
    email: person.email,
    ...claims,
    authMethod: 'password',
    iat: Math.min(iat, exp),
    exp,
    jti: randomUUID(),
  };
  return signPayload(secret, payload);
}

function signPayload(secret: string, payload: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** Returns the same token with an hour to live: calling all routes on a busy machine takes longer than some tokens last. */
export function extendToken(system: Pick<System, 'settings'>, token: string): string {
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { iat: number }; // the service's own token
  return signPayload(system.settings()['JWT_SECRET'] ?? '', { ...payload, exp: payload.iat + 3_600 });
}

/** Returns the authorization header of an unauthenticated caller. */
export function authorizationOf(system: System, kind: Unauthenticated, callers: Callers): string | undefined {
  const person = { id: randomUUID(), email: 'unknown@callers.example' };
  if (kind === 'withoutToken') return undefined;
  if (kind === 'expiredToken') return `Bearer ${signSession(system.settings()['JWT_SECRET'] ?? '', callers.staff.claims, person, 0)}`;
  if (kind === 'foreignSignature') return `Bearer ${signSession('another secret that is long enough, too', callers.staff.claims, person)}`;
  return 'Bearer not.a.token';
}

export type RouteCall = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  rawBody?: string;
  contentType?: string;
  authorization?: string | undefined;
  headers?: Record<string, string>;
};

let address = 0;

/** Calls a route. An event stream is closed after its response headers. */
export async function callRoute(
  system: Pick<System, 'baseUrl'>,
  name: RouteName,
  { params = {}, query = {}, body, rawBody, contentType, authorization, headers }: RouteCall,
): Promise<RouteResponse> {
  const route: RouteShape = routes[name];
  const path = route.path.replace(/:([A-Za-z]+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
  const search = new URLSearchParams(query).toString();
  const form = route.upload && body !== undefined ? formOf(body as object, FILES[name]) : undefined; // the texts of a form
  const payload = form ?? rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const aborting = new AbortController();
  address += 1;
  const response = await fetch(`${system.baseUrl}${path}${search ? `?${search}` : ''}`, {
    method: route.method,
    signal: aborting.signal,
    headers: {
      // A caller without a session counts by address.
      'x-forwarded-for': `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`,
      ...(authorization === undefined ? {} : { authorization }),
      ...(payload === undefined || form ? {} : { 'content-type': contentType ?? 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  });
  const type = response.headers.get('content-type') ?? '';
  const requestId = response.headers.get('x-request-id') ?? '';
  if (type.includes('event-stream')) {
    aborting.abort();
    return { status: response.status, text: '', type, requestId, problem: undefined };
  }
  const text = await response.text();
  const problem = type.startsWith('application/problem+json') ? (JSON.parse(text) as Problem) : undefined; // the server's promise, checked by its readers
  return { status: response.status, text, type, requestId, problem };
}

/** A PNG of one pixel. */
const DOT = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64');

/** The kind of file to send to routes that do not take an image. */
const FILES: Partial<Record<RouteName, 'text' | 'table'>> = { uploadKnowledge: 'text', importClients: 'table' };

/** A form with these texts and an image, a text file, or a table of clients. */
export function formOf(texts: object, kind: 'image' | 'text' | 'table' = 'image'): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(texts)) form.append(name, String(value));
  if (kind === 'image') form.append('file', new Blob([DOT], { type: 'image/png' }), 'dot.png');
  else if (kind === 'table')
    form.append('file', new Blob(['Name,E-mail\nMaple Vet,vet@maple.example\n'], { type: 'text/csv' }), 'clients.csv');
  else form.append('file', new Blob(['The shop opens at nine.'], { type: 'text/plain' }), 'hours.txt');
  return form;
}

/** Returns the refusal that the route's declaration demands for this caller; undefined when it may call. */
export function refusalOf(route: RouteShape, claims: Claims): 'role_forbidden' | 'partner_role_forbidden' | undefined {
  const { access } = route;
  if (access.kind !== 'session') return undefined;
  if (!access.roles.includes(claims.role)) return 'role_forbidden';
  return access.write && claims.role === 'PARTNER' && claims.partnerRole !== 'admin' ? 'partner_role_forbidden' : undefined;
}

/** Asserts the error shape and its code. */
export function assertProblem(answer: RouteResponse, code: string, what: string): void {
  assert.equal(answer.problem?.code, code, `${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
  for (const member of ['type', 'title', 'status', 'detail', 'instance', 'requestId'] as const)
    assert.ok(answer.problem?.[member], `${what} lacks ${member}`);
  assert.equal(answer.problem.status, answer.status);
  assert.ok(answer.status === 422 || !('errors' in answer.problem), `${what} has errors[] with ${answer.status}`);
}

/** Returns the response without what may differ between two calls: the id of the request and its address. */
export function comparable(answer: RouteResponse): string {
  if (!answer.problem) return `${answer.status} ${answer.text}`;
  return JSON.stringify({ http: answer.status, mime: answer.type, ...answer.problem, requestId: '', instance: '' });
}

/** Inserts a partner that its billing suspended, and a suspended client of `facts.owner`, and returns the claims of every caller with those of the two. */
export async function addSuspended(
  system: Pick<System, 'query'>,
  facts: Record<CallerName, Claims>,
  slug: string,
): Promise<Record<CallerName, Claims>> {
  const { partnerId } = facts.owner;
  const [made] = await system.query<{ partnerId: string; clientId: string }>(
    `with p as (insert into partner (name, slug, status, suspended_at, suspension_cause) values ('Suspended Agency', $2, 'suspended', now(), 'billing') returning id),
       c as (insert into client (partner_id, name, status) values ($1, 'Suspended Client', 'suspended') returning id)
     select p.id as "partnerId", c.id as "clientId" from p, c`,
    [partnerId, slug],
  );
  assert.ok(made);
  return {
    ...facts,
    owner: { role: 'PARTNER', partnerId: made.partnerId, partnerRole: 'admin' },
    clientUser: { role: 'CLIENT', partnerId, clientId: made.clientId },
  };
}

/** Inserts a second partner with a client, and returns the claims of every caller. */
export async function addRival(
  system: Pick<System, 'query'>,
  demo: { partnerId: string; oakStreetId: string; lakeviewId: string },
): Promise<Record<CallerName, Claims>> {
  const [rival] = await system.query<{ partnerId: string; clientId: string; houseId: string }>(
    `with p as (insert into partner (name, slug) values ('Rival Agency', 'rival') returning id),
       s as (insert into subscription (partner_id, plan_id, status, current_period_start, current_period_end, period_anchor, currency)
         select p.id, l.id, 'active', now() - interval '5 days', now() + interval '25 days', now() + interval '25 days', l.currency from p, plan l where l.name = 'Growth'),
       q as (insert into partner_quota (partner_id, period_start, period_end, period_anchor, monthly_credits)
         select id, now() - interval '5 days', now() + interval '25 days', now() + interval '25 days', 10000 from p),
       c as (insert into client (partner_id, name, timezone) select id, 'Rival Client', 'America/Chicago' from p returning id)
     select p.id as "partnerId", c.id as "clientId", h.id as "houseId" from p, c, partner h where h.is_house`,
  );
  if (!rival) throw new Error(`The rival of ${DEMO.partner.name} was not made.`);
  const { partnerId, clientId, houseId } = rival;
  return {
    staff: { role: 'ADMIN', partnerId: houseId },
    owner: { role: 'PARTNER', partnerId: demo.partnerId, partnerRole: 'admin' },
    moderator: { role: 'PARTNER', partnerId: demo.partnerId, partnerRole: 'moderator' },
    clientUser: { role: 'CLIENT', partnerId: demo.partnerId, clientId: demo.oakStreetId },
    otherClientUser: { role: 'CLIENT', partnerId: demo.partnerId, clientId: demo.lakeviewId },
    rivalOwner: { role: 'PARTNER', partnerId, partnerRole: 'admin' },
    rivalClientUser: { role: 'CLIENT', partnerId, clientId },
  };
}
