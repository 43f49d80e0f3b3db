import type { BodyOf, ParamsOf, QueryOf, ReplyInputOf, RouteShape } from '@partner-portal/contract/define-route.ts';
import { ERRORS, type ErrorCode, type FieldError } from '@partner-portal/contract/errors.ts';
import { fieldErrors } from '@partner-portal/contract/field-errors.ts';
import { type RouteName, type Routes, routes } from '@partner-portal/contract/index.ts';
import type { z } from 'zod';
import { sample } from './sample.ts';

type Of<Name extends RouteName> = Routes[Name];
export type Call<Name extends RouteName> = {
  params: ParamsOf<Of<Name>>;
  query: QueryOf<Of<Name>>;
  body: BodyOf<Of<Name>>;
  headers: Headers;
};
type Value<Name extends RouteName> = ReplyInputOf<Of<Name>>;
/** The reply of each route, or what returns it for a call; undefined where a reply has no body. */
export type Answers = { [Name in RouteName]?: Value<Name> | ((call: Call<Name>) => Value<Name> | Promise<Value<Name>>) };

/** A refusal that an answer throws: the problem of this code. */
export class Refused extends Error {
  readonly code: ErrorCode;
  readonly members: {
    detail?: string;
    errors?: FieldError[];
    retryAfterSeconds?: number;
    proofOfWork?: { challenge: string; bits: number };
  };
  constructor(code: ErrorCode, members: Refused['members'] = {}) {
    super(code);
    this.code = code;
    this.members = members;
  }
}

/** Faults of tests: an answer that violates its schema, a call that the contract does not have. The page alone would only say that something went wrong. */
export const faults: unknown[] = [];

/** Returns what a route answers when a test says nothing else: the plainest reply of its schema, with `given` in it. */
export function reply<Name extends RouteName>(name: Name, given: Partial<Value<Name>> = {}): Value<Name> {
  const [schema] = Object.values((routes[name] as RouteShape).reply);
  return schema ? (sample(schema, given) as Value<Name>) : (undefined as Value<Name>); // the schema of this route
}

type RowOf<V> = V extends readonly (infer R)[] ? R : V extends { data: readonly (infer R)[] } ? R : never;
type Shape = { def: { type: string; element: z.ZodType; shape: { data: { def: { element: z.ZodType } } } } };

/** Returns one of the rows that a route lists, the plainest of its schema with `given` in it. */
export function row<Name extends RouteName>(name: Name, given: Partial<RowOf<Value<Name>>> = {}): RowOf<Value<Name>> {
  const { def } = Object.values((routes[name] as RouteShape).reply)[0] as unknown as Shape; // a list, or a page of one
  return sample(def.type === 'array' ? def.element : def.shape.data.def.element, given as object) as RowOf<Value<Name>>; // the schema of its rows
}

/** A service that has no mail server. */
export const WITHOUT_MAIL: Answers = {
  getReadiness: { status: 'ok', checks: { ...reply('getReadiness').checks, mail: 'disabled' } },
};

/** Returns a record as the service answers a change of it. */
export const changed = <T extends object>(record: T, body: object): T => ({
  ...record,
  ...(JSON.parse(JSON.stringify(body)) as Partial<T>),
});

/**
 * Stands in for the service, at `fetch`: reads params, query and body by the schemas of the contract, refuses what they refuse in the service's
 * words, and sends each answer through the schema of its reply. A read that no test answers gets the plainest reply; a change is refused then.
 */
export class Service {
  answers: Answers = {};
  /** Every call but `/reads` and `/streams`, in order. */
  readonly calls: { name: RouteName; params: unknown; query: unknown; body: unknown; headers: Headers }[] = [];
  #streams: { follow: string[]; send: (text: string) => void; end: () => void }[] = [];

  fetch = async (given: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(String(given), location.href);
    init.signal?.throwIfAborted();
    const answering =
      pathname === '/reads'
        ? this.#readTogether(init)
        : pathname === '/streams'
          ? this.#follow(init)
          : this.#answer(pathname + search, init);
    const aborted = new Promise<never>((_, reject) =>
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true }),
    );
    return Promise.race([answering, aborted]);
  };

  /** Bodies of the calls of a route. */
  sent<Name extends RouteName>(name: Name): BodyOf<Of<Name>>[] {
    return this.calls.filter((call) => call.name === name).map(({ body }) => body as BodyOf<Of<Name>>); // parsed by its schema
  }

  /** Sends an event on the open streams whose path begins with this; returns whether there is one. */
  send(path: string, event: string, data: unknown, id = String(Date.now())): boolean {
    const all = this.#streams.flatMap(({ follow, send }) => follow.flatMap((one, at) => (one.startsWith(path) ? [{ at, send }] : [])));
    for (const { at, send } of all) send(`id: ${at}:${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    return all.length > 0;
  }

  async #readTogether(init: RequestInit): Promise<Response> {
    const { reads } = JSON.parse(String(init.body)) as { reads: string[] }; // as the portal sends it
    const { headers } = init;
    const body = new ReadableStream<Uint8Array>({
      start: async (lines) => {
        const all = reads.map(async (path, read) => {
          const answer = await this.#answer(path, { method: 'GET', ...(headers ? { headers } : {}) });
          lines.enqueue(new TextEncoder().encode(`{"read":${read},"status":${answer.status},"body":${await answer.text()}}\n`));
        });
        await Promise.all(all);
        lines.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson', date: new Date().toUTCString() } });
  }

  async #follow({ body, signal }: RequestInit): Promise<Response> {
    const { follow } = JSON.parse(String(body)) as { follow: { path: string }[] }; // as the portal sends it
    const stream = new ReadableStream<Uint8Array>({
      start: (events) => {
        const send = (text: string): void => events.enqueue(new TextEncoder().encode(text));
        const one = { follow: follow.map(({ path }) => path), send, end: () => events.close() };
        this.#streams.push(one);
        for (const at of follow.keys()) send(`id: ${at}:\nevent: opened\ndata: {}\n\n`);
        signal?.addEventListener('abort', () => {
          this.#streams = this.#streams.filter((other) => other !== one);
          events.error(signal.reason);
        });
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  }

  async #answer(path: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#call(path, init);
    } catch (error) {
      if (!(error instanceof Refused)) {
        faults.push(error);
        return new Response('{}', { status: 500 });
      }
      const { status, title } = ERRORS[error.code];
      const { retryAfterSeconds } = error.members;
      const problem = {
        type: `/problems/${error.code}`,
        title,
        status,
        detail: `${title}.`,
        instance: path,
        code: error.code,
        requestId: 'test',
        ...error.members,
      };
      const headers = {
        'content-type': 'application/problem+json',
        ...(retryAfterSeconds ? { 'retry-after': String(retryAfterSeconds) } : {}),
      };
      return new Response(JSON.stringify(problem), { status, headers });
    }
  }

  async #call(path: string, init: RequestInit): Promise<Response> {
    const { pathname, searchParams } = new URL(path, location.href);
    const found = findRoute(init.method ?? 'GET', pathname);
    if (!found) throw new Error(`The contract has no route for ${init.method ?? 'GET'} ${pathname}.`);
    const { name, route, params } = found;
    const sent =
      init.body instanceof FormData ? Object.fromEntries(init.body) : init.body ? (JSON.parse(String(init.body)) as unknown) : undefined;
    const call = {
      params: parse(route.params, params, 'not_found'),
      query: parse(route.query, Object.fromEntries(searchParams), 'invalid_query'),
      body: route.upload ? sent : parse(route.body, sent, 'validation_failed'),
      headers: new Headers(init.headers),
    };
    this.calls.push({ name, ...call });
    const answer = this.answers[name] as unknown;
    if (answer === undefined && !(name in this.answers) && route.method !== 'GET' && route.changesNothing === undefined)
      throw new Refused('internal_error', { detail: `No test answers ${name}.` });
    const value: unknown =
      typeof answer === 'function' ? await (answer as (call: unknown) => unknown)(call) : name in this.answers ? answer : reply(name);
    const [[status, schema] = ['200', undefined]] = Object.entries(route.reply);
    if (value === undefined || !schema) return new Response(null, { status: 204 });
    if (value instanceof Uint8Array) return new Response(new Uint8Array(value), { status: Number(status) });
    if (route.format === 'csv') return new Response(`\uFEFF${String(value)}`, { headers: { 'content-type': 'text/csv' } });
    const parsed = schema.safeParse(value);
    if (!parsed.success)
      throw new Error(`The answer to ${name} violates its schema: ${JSON.stringify(fieldErrors(parsed.error).slice(0, 5))}`);
    const headers = { 'content-type': 'application/json', date: new Date().toUTCString() };
    return new Response(JSON.stringify(parsed.data), { status: Number(status), headers });
  }
}

function parse(schema: z.ZodType | undefined, value: unknown, code: ErrorCode): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error);
  throw new Refused(code, code === 'validation_failed' ? { errors } : { detail: `${errors[0]?.field ?? ''}: ${errors[0]?.message ?? ''}` });
}

const TABLE = Object.entries(routes as { readonly [name: string]: RouteShape })
  // A path without parameters names its route before one that has some.
  .toSorted(([, a], [, b]) => a.path.split(':').length - b.path.split(':').length)
  .map(([name, route]) => ({ name: name as RouteName, route, pattern: new URLPattern({ pathname: route.path }) })); // keys of the table

function findRoute(
  method: string,
  pathname: string,
): { name: RouteName; route: RouteShape; params: Record<string, string | undefined> } | undefined {
  for (const { name, route, pattern } of TABLE) {
    const found = route.method === method ? pattern.exec({ pathname }) : null;
    if (found) {
      const params = Object.entries(found.pathname.groups).map(([key, text]) => [
        key,
        text === undefined ? text : decodeURIComponent(text),
      ]);
      return { name, route, params: Object.fromEntries(params) as Record<string, string | undefined> };
    }
  }
  return undefined;
}
