import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { routes } from '@partner-portal/contract/index.ts';
import { buildDocument } from './document.ts';

type Content = Record<string, { example?: unknown; schema?: unknown }>;
type Operation = {
  operationId: string;
  description: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};

const table: Record<string, RouteShape> = routes;
let operations: Operation[] = [];

before(async () => {
  const document = (await buildDocument(routes, 'http://portal.test')) as { paths: Record<string, Record<string, Operation>> }; // our own document
  operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
});

const routeOf = (operation: Operation): RouteShape => {
  const route = table[operation.operationId];
  assert.ok(route, operation.operationId);
  return route;
};
const find = (name: string): Operation => {
  const found = operations.find((operation) => operation.operationId === name);
  assert.ok(found, name);
  return found;
};

describe('the examples of the API document', () => {
  it('are there for every body, and each is a body its route accepts', () => {
    for (const operation of operations) {
      const { body, fileAsBody = [] } = routeOf(operation);
      assert.equal(operation.requestBody === undefined, body === undefined, operation.operationId);
      for (const [mime, { example }] of Object.entries(operation.requestBody?.content ?? {})) {
        assert.notEqual(example, undefined, `${operation.operationId} ${mime}`);
        assert.ok(Object.keys(Object(example)).length > 0, `${operation.operationId} ${mime} shows nothing`);
        // A file has no members.
        if (fileAsBody.includes(mime)) continue;
        const parsed = body?.safeParse(example);
        assert.ok(parsed?.success, `${operation.operationId} ${mime}: ${parsed?.error?.message}`);
      }
    }
  });

  it('name nothing together that their handlers refuse together', () => {
    const exampleOf = (name: string) => find(name).requestBody?.content['application/json']?.example as Record<string, unknown>; // a JSON body
    assert.deepEqual(Object.keys(exampleOf('createAgentRequest')).sort(), ['clientId', 'config', 'templateName']);
    const { from, to } = exampleOf('rerunFailed');
    assert.ok(String(from) < String(to), `${String(from)} to ${String(to)}`);
    assert.deepEqual(exampleOf('createInvitation')['kind'], 'client_user');
    assert.notDeepEqual(exampleOf('rerunExecution')['input'], {});
  });

  it('are there for every answer that has a body, and each is one the route may give', () => {
    for (const operation of operations) {
      const route = routeOf(operation);
      for (const [status, schema] of Object.entries(route.reply)) {
        // A document of bytes has none.
        if (status === '204' || Number(status) >= 300 || route.format === 'pdf' || route.format === 'file') continue;
        const [content] = Object.values(operation.responses[status]?.content ?? {});
        assert.notEqual(content?.example, undefined, `${operation.operationId} ${status}`);
        const parsed = schema.safeParse(content?.example);
        assert.ok(parsed.success, `${operation.operationId} ${status}: ${parsed.error?.message}`);
      }
    }
  });
});

describe('the API document', () => {
  it('declares a PDF as bytes', () => {
    const content = find('getInvoicePdf').responses['200']?.content ?? {};
    assert.deepEqual(content, { 'application/pdf': { schema: { type: 'string', format: 'binary' } } });
  });

  it('names the refusals that the binding makes before a handler runs', () => {
    assert.match(find('putCredential').responses['403']?.description ?? '', /`scope_forbidden`/);
    assert.match(find('putCredential').responses['429']?.description ?? '', /`partner_throttled`/);
    // Staff may name an agency, and no agency throttle counts them.
    assert.doesNotMatch(find('getEngine').responses['403']?.description ?? '', /`scope_forbidden`/);
    assert.doesNotMatch(find('getEngine').responses['429']?.description ?? '', /`partner_throttled`/);
  });

  it('names the headers a caller may or must send', () => {
    const headersOf = (name: string): string[] => (find(name).parameters ?? []).filter((one) => one.in === 'header').map((one) => one.name);
    assert.deepEqual(headersOf('ingestEvent'), ['idempotency-key']);
    assert.deepEqual(headersOf('triggerWorkflow'), ['idempotency-key']);
    assert.deepEqual(headersOf('reportExecution'), ['x-callback-token']);
    assert.deepEqual(headersOf('updateClient'), ['if-match']);
    assert.deepEqual(headersOf('listClients'), []);
  });
});
