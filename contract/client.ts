import type { BodyInputOf, Format, ParamsOf, QueryInputOf, ReplyOf, RouteShape } from './define-route.ts';
import type { Problem } from './errors.ts';

/** A response with an error status. `problem` is the RFC 9457 body when the server sent one. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Problem | undefined;
  readonly retryAfterSeconds: number | undefined;
  constructor(status: number, problem: Problem | undefined, retryAfterSeconds: number | undefined) {
    super(problem?.detail ?? `The server responded with ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type Part<Name extends string, T> = [keyof T] extends [never] ? { [K in Name]?: T } : { [K in Name]: T };
type OptionalPart<Name extends string, T> = { [K in Name]?: T };
type BodyPart<B> = [B] extends [undefined] ? { body?: undefined } : undefined extends B ? { body?: B } : { body: B };

export type CallOptions<R extends RouteShape> = Part<'params', ParamsOf<R>> &
  OptionalPart<'query', Partial<QueryInputOf<R>>> &
  BodyPart<BodyInputOf<R>> & { headers?: Record<string, string>; signal?: AbortSignal };

type Args<R extends RouteShape> = Record<never, never> extends CallOptions<R> ? [options?: CallOptions<R>] : [options: CallOptions<R>];

export type Client<Routes extends Record<string, RouteShape>> = {
  [Name in keyof Routes]: (...args: Args<Routes[Name]>) => Promise<ReplyOf<Routes[Name]>>;
};

export type ClientOptions = {
  baseUrl: string;
  /** Sends a request; `fetch` itself, or what also looks at the name of the route. */
  fetch: (url: string, init: RequestInit, routeName: string) => Promise<Response>;
  /** The bearer token for this call, when there is one. */
  token?: () => string | undefined;
  /** Called before each request; what it throws is the outcome of the call, and nothing is sent. */
  beforeSend?: (routeName: string, body: unknown) => Promise<void>;
};

/** Fills `:name` segments and appends the query; undefined members are left out. */
export function buildUrl(path: string, params: Record<string, unknown> = {}, query: Record<string, unknown> = {}): string {
  const filled = path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value));
  }
  const text = search.toString();
  return text ? `${filled}?${text}` : filled;
}

/** Creates the typed client: one function per route. Throws ApiError on any status ≥ 400. */
export function createClient<Routes extends Record<string, RouteShape>>(routes: Routes, options: ClientOptions): Client<Routes> {
  const call = async (name: string, route: RouteShape, given: Loose): Promise<unknown> => {
    await options.beforeSend?.(name, given.body);
    const headers: Record<string, string> = { accept: 'application/json', ...given.headers };
    const token = options.token?.();
    if (token) headers['authorization'] = `Bearer ${token}`;
    const { body } = given;
    const hasBody = body !== undefined;
    // The browser adds the boundary to the type of a form.
    const isForm = body instanceof FormData;
    if (hasBody && !isForm) headers['content-type'] = 'application/json';
    const init: RequestInit = {
      method: route.method,
      headers,
      ...(hasBody ? { body: isForm ? body : JSON.stringify(body) } : {}),
      ...(given.signal ? { signal: given.signal } : {}),
    };
    const response = await options.fetch(options.baseUrl + buildUrl(route.path, given.params, given.query), init, name);
    if (response.status >= 400) throw await toApiError(response);
    if (response.status === 204) return undefined;
    const type = response.headers.get('content-type') ?? '';
    if (isBytes(route.format)) return new Uint8Array(await response.arrayBuffer());
    return type.includes('application/json') ? response.json() : response.text();
  };
  const calls = Object.entries(routes).map(([name, route]) => [name, (given: Loose = {}) => call(name, route, given)]);
  return Object.fromEntries(calls) as Client<Routes>; // built from the table the type is derived from
}

/** Whether a response of this format is read as bytes rather than as text. */
export function isBytes(format: Format | undefined): boolean {
  return format === 'pdf' || format === 'file';
}

async function toApiError(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after'));
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const problem = isJson ? ((await response.json().catch(() => undefined)) as Problem | undefined) : undefined; // the error shape is the server's promise
  return new ApiError(response.status, problem, Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : undefined);
}

type Loose = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};
