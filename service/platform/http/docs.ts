import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { type Access, answersBeforeMfa, bodyLimitOf, limitOf, type RouteShape, type Tag } from '@partner-portal/contract/define-route.ts';
import { isAllowedInViewAs } from '@partner-portal/contract/view-as.ts';
import { type ErrorCode, ERRORS } from '@partner-portal/contract/errors.ts';
import { FIELD_TEXTS } from '@partner-portal/contract/field-errors.ts';
import { PRODUCT_NAME } from '@partner-portal/contract/product.ts';
import { TAG_DESCRIPTIONS } from '@partner-portal/contract/tags.ts';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { addExamples } from './examples.ts';
import { formatBytes } from './raw-body.ts';

const problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    instance: z.string(),
    code: z.string(),
    requestId: z.string(),
    errors: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })).optional(),
  })
  .meta({
    id: 'Problem',
    description: 'RFC 9457 problem details; further members by code.',
    examples: [
      {
        type: 'https://portal.example.com/problems/validation_failed',
        title: ERRORS.validation_failed.title,
        status: ERRORS.validation_failed.status,
        detail: '1 field was not accepted.',
        instance: '/clients',
        code: 'validation_failed',
        requestId: '0198c2f4-7a10-7c3e-9b52-4f1d2a6e8c0f',
        errors: [{ field: 'name', code: 'required', message: FIELD_TEXTS.required }],
      },
    ],
  });

/** Returns a route's part of the API document: tag, summary, roles, every response and every problem code. */
export function describeRoute(name: string, route: RouteShape): FastifySchema {
  const response: Record<string, unknown> = {};
  for (const [status, schema] of Object.entries(route.reply)) {
    response[status] =
      status === '204' || route.format === 'redirect'
        ? z.null().describe(status === '204' ? 'Done; no body.' : 'Redirects to the address in the Location header; no body.')
        : success(route, schema, Number(status));
  }
  if (route.refusedAt !== undefined && !response[302])
    response[302] = z.null().describe('Refused: redirects to a page that says why, as for every refusal of this route; no body.');
  for (const [status, codes] of byStatus([...commonErrors(route), ...route.errors])) {
    // A declared response (503 of the readiness check) takes precedence over the problem of the same status.
    if (response[status]) continue;
    const description = codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' ');
    response[status] = { description, content: { 'application/problem+json': { schema: problem } } };
  }
  return {
    operationId: name,
    tags: [route.tag],
    summary: route.summary,
    description: describeAccess(route),
    security: SECURITY[route.access.kind],
    ...(route.params ? { params: route.params } : {}),
    ...(route.query ? { querystring: route.query } : {}),
    ...describeHeaders(route),
    ...describeBody(route),
    response,
  } as FastifySchema; // the document plugins extend the framework's own type
}

/** Returns the body and the types it may have. */
function describeBody({ body, upload, fileAsBody, formToo }: RouteShape): FastifySchema {
  if (upload && body instanceof z.ZodObject)
    return {
      body: body.extend({ file: z.string().meta({ format: 'binary' }) }),
      consumes: ['multipart/form-data', ...(fileAsBody ?? [])],
      ...(fileAsBody ? { querystring: body } : {}),
    };
  return {
    ...(body ? { body } : {}),
    ...(formToo ? { consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'] } : {}),
  };
}

/** Proofs by kind of access. An empty list says that none is needed; leaving it out would say nothing. */
const SECURITY: Readonly<Record<RouteShape['access']['kind'], readonly Record<string, string[]>[]>> = {
  session: [{ bearer: [] }],
  public: [],
  ingest: [{ ingestToken: [] }],
  callback: [{ callbackToken: [] }],
};

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  ingestToken: { type: 'apiKey', in: 'query', name: 'token', description: 'The token in the ingest URL of an agent.' },
  callbackToken: { type: 'apiKey', in: 'header', name: 'X-Callback-Token', description: 'The token of one execution, from its dispatch.' },
} as const;

/** Returns the headers besides Authorization that the route reads. */
function describeHeaders(route: RouteShape): { headers?: z.ZodObject } {
  const shape: Record<string, z.ZodType> = {};
  if (route.access.kind === 'callback') shape['x-callback-token'] = z.string().describe('The token of this execution, from its dispatch.');
  if (route.idempotent)
    shape['idempotency-key'] = z
      .string()
      .max(255)
      .optional()
      .describe(`Within ${LIMITS.idempotencyHours} hours, the same key returns the first response; with another body it is refused.`);
  if (route.errors.includes('stale_record')) {
    shape['if-match'] = z
      .string()
      .optional()
      .describe('The quoted updatedAt of the record you changed; 412 when the record has changed since.');
  }
  return Object.keys(shape).length > 0 ? { headers: z.object(shape) } : {};
}

function describeSuccess({ streams }: RouteShape): string {
  if (!streams) return 'Success.';
  const names = Object.keys(streams.events).map((name) => `\`${name}\``);
  return `Success. With \`${streams.when}: true\` server-sent events: ${names.join(', ')}; a failure after the first is a last event \`problem\`.`;
}

function success(route: RouteShape, schema: z.ZodType, status: number): unknown {
  const { format = 'json' } = route;
  const binary = { schema: z.string().meta({ format: 'binary' }) };
  switch (format) {
    case 'csv':
      return {
        description: 'CSV, separated by commas; for users of a client whose spreadsheets expect them, by semicolons.',
        content: { 'text/csv': { schema } },
      };
    case 'ndjson':
      return { description: 'One JSON value per line.', content: { 'application/x-ndjson': { schema } } };
    case 'lines':
      return { description: 'One JSON value per line, each sent as soon as it is known.', content: { 'application/x-ndjson': { schema } } };
    case 'xml':
      return { description: 'An XML document.', content: { 'application/xml': { schema } } };
    case 'pdf':
      return { description: 'A PDF document.', content: { 'application/pdf': binary } };
    case 'file':
      return {
        description: status === 206 ? 'The range that was requested.' : 'The file.',
        content: { 'application/octet-stream': binary },
      };
    case 'events':
      return { description: 'Server-sent events.', content: { 'text/event-stream': { schema } } };
    case 'redirect':
    case 'json':
      return {
        description: status < 400 ? describeSuccess(route) : 'The same response, when a component is down.',
        content: { 'application/json': { schema }, ...(route.streams && { 'text/event-stream': { schema: z.string() } }) },
      };
  }
}

function describeAccess(route: RouteShape): string {
  const { access } = route;
  const limits = `Rate limit: ${limitOf(route)}.${route.body ? ` Body: at most ${formatBytes(bodyLimitOf(route))}.` : ''}`;
  switch (access.kind) {
    case 'public':
      return `Roles: none, public${access.mayHaveSession ? '; a session may show more' : ''}. ${limits}`;
    case 'ingest':
      return `Roles: none; authorized by the token in the query. ${limits} A form with files, which are left out: at most ${formatBytes(LIMITS.eventWithFilesBytesMax)}.`;
    case 'callback':
      return `Roles: none; authorized by the header X-Callback-Token. ${limits}`;
    case 'session':
      return describeSession(route, access, limits);
  }
}

function describeSession(route: RouteShape, access: Extract<Access, { kind: 'session' }>, limits: string): string {
  const who = access.roles.map((role) => (role === 'PARTNER' && access.write ? 'PARTNER (admin)' : role)).join(', ');
  const also = [
    route.idempotent ? 'Supports Idempotency-Key.' : '',
    access.whileSuspended ? 'Available while the account is suspended.' : '',
    route.needsRecentLogin ? `Needs a login, or \`POST /auth/reauthenticate\`, of the last ${LIMITS.recentLoginMinutes} minutes.` : '',
  ];
  return ['Roles: ', who, '. ', limits, ...also.map((text) => (text ? ` ${text}` : ''))].join('');
}

/** Returns the codes every route of this kind may respond with, which no route declares. */
export function commonErrors(route: RouteShape): ErrorCode[] {
  const codes: ErrorCode[] = [];
  if (route.access.kind === 'session') {
    codes.push('unauthenticated', 'token_expired', 'user_disabled', 'role_forbidden');
    codes.push('session_idle');
    if (!route.access.whileSuspended) codes.push('account_suspended');
    if (route.needsRecentLogin) codes.push('reauthentication_required');
    if (route.access.roles.includes('ADMIN') && !answersBeforeMfa(route)) codes.push('mfa_setup_required');
    if (route.access.write) codes.push('partner_role_forbidden');
    if (!isAllowedInViewAs(route)) codes.push('view_as_read_only');
    const tenants = route.access.roles.some((role) => role !== 'ADMIN');
    if (tenants) codes.push('scope_forbidden');
    if (tenants && limitOf(route) !== 'none') codes.push('partner_throttled');
  }
  if (route.params) codes.push('not_found');
  if (route.query) codes.push('invalid_query');
  if (route.body) codes.push('malformed_json', 'request_timeout', 'too_large', 'unsupported_media_type', 'validation_failed');
  if (route.idempotent) codes.push('idempotency_key_reused');
  if (limitOf(route) !== 'none') codes.push('rate_limited');
  if (route.access.kind === 'session') codes.push('took_too_long');
  codes.push('internal_error', 'service_unavailable');
  return codes;
}

function byStatus(codes: readonly ErrorCode[]): Map<string, ErrorCode[]> {
  const grouped = new Map<string, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const status = String(ERRORS[code].status);
    grouped.set(status, [...(grouped.get(status) ?? []), code]);
  }
  return grouped;
}

/**
 * Serves the API document at `/api/docs-json` and its page at `/api/docs`: public, without session or rate limit, always on. Call it before
 * routes are bound.
 */
export async function registerDocs(app: FastifyInstance, baseUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${PRODUCT_NAME} API`,
        version: '1.0.0',
        description:
          'Programmatic access is by bearer session: POST /auth/login returns an access token, sent as `Authorization: Bearer <token>`. ' +
          'A session lasts until the `expiresAt` of that response, by default one day; then log in again. Errors are RFC 9457 problem details with a stable `code`.',
      },
      servers: [{ url: baseUrl }],
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    transform: jsonSchemaTransform,
    transformObject: (given) =>
      addExamples(describeFiles(describeTags(sortSchemas(freeJson(jsonSchemaTransformObject(given)))))) as ReturnType<
        typeof jsonSchemaTransformObject
      >, // the same document
  });
  await app.register(async (scope) => {
    // Also those that the library adds.
    scope.addHook('onRoute', (route) => void (route.config = { ...route.config, mainHostOnly: true }));
    scope.get('/api/docs-json', { schema: { hide: true } }, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(JSON.stringify(app.swagger())),
    );
    await scope.register(swaggerUi, {
      routePrefix: '/api/docs',
      // The default policy would also allow a third-party validator image.
      staticCSP:
        "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      logo: { type: 'image/svg+xml', content: Buffer.from(MARK), href: '/' },
      uiConfig: { validatorUrl: null, deepLinking: true, docExpansion: 'none', persistAuthorization: false },
    });
  });
}

/** The portal's mark, in place of the library's. */
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke-width="2.4" stroke-linecap="round" height="32"><path stroke="#eaf0f2" d="M4 21V11a8 8 0 0 1 16 0v10"/><path stroke="#4cb4cf" d="M9.3 21v-9.6a2.7 2.7 0 0 1 5.4 0V21"/></svg>`;

/** Lists the tags that operations have, with what each is about. */
function describeTags(document: unknown): unknown {
  const { paths = {} } = document as { paths?: Record<string, Record<string, { tags?: Tag[] }>> }; // an OpenAPI document, as its converter made it
  const used = new Set(Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags = [] }) => tags)));
  const tags = (Object.keys(TAG_DESCRIPTIONS) as Tag[])
    .filter((tag) => used.has(tag))
    .map((name) => ({ name, description: TAG_DESCRIPTIONS[name] })); // the keys of a record over Tag
  return { ...(document as object), tags };
}

/** A body that is a file has no members: the converter describes each type of a body as the same form. */
function describeFiles(document: unknown): unknown {
  const { paths = {} } = document as { paths?: Record<string, Record<string, { requestBody?: { content?: Record<string, object> } }>> }; // as above
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path)))
    for (const [type, body] of Object.entries(operation.requestBody?.content ?? {}))
      if (type.startsWith('text/'))
        Object.assign(body, {
          schema: { type: 'string', format: 'binary' },
          example: 'Name,E-mail\r\nOak Street Dental,desk@oak.example\r\n',
        });
  return document;
}

/** Sorts the named schemas, whose order is otherwise that in which modules happen to be loaded. */
function sortSchemas(document: unknown): unknown {
  const { components = {}, ...rest } = document as { components?: { schemas?: object } }; // an OpenAPI document, as its converter made it
  const schemas = Object.fromEntries(Object.entries(components.schemas ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return { ...rest, components: { ...components, schemas } };
}

/**
 * Replaces the self-referencing schema of "any JSON", which the converter leaves without a target, by the empty schema, which means the
 * same.
 */
function freeJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(freeJson);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && /\/schema\d+$/.test(String(value.$ref))) return {};
  const entries = Object.entries(value).filter(([name]) => name !== '__shared');
  return Object.fromEntries(entries.map(([name, member]) => [name, freeJson(member)]));
}
