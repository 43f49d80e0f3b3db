import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient } from '@partner-portal/contract/client.ts';
import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { type Routes, routes } from '@partner-portal/contract/index.ts';
import { routeModules } from './route-table.ts';

// Invalid as UTF-8: read as text they would not come back.
const BYTES = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0xff, 0xfe, 0x80]);

describe('the tables that the portal calls the service by', () => {
  for (const [name, variable] of [
    ['virtual:route-table', 'routes'],
    ['virtual:first-routes', 'firstRoutes'],
  ] as const)
    it(`read PDFs and files as bytes, as the contract does (${name})`, async () => {
      const source = (await routeModules())[name] ?? '';
      const module = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as { [variable: string]: Routes };
      const table = module[variable];
      assert.ok(table);
      const fetch = () => Promise.resolve(new Response(BYTES, { headers: { 'content-type': 'application/pdf' } }));
      const files = Object.entries<RouteShape>(routes).filter(([, { format }]) => format === 'pdf' || format === 'file');
      assert.ok(files.length > 3);
      const client = createClient(table, { baseUrl: 'http://portal.test', fetch }) as unknown as Record<
        string,
        (given: object) => Promise<unknown>
      >; // called by name
      for (const [route] of files) assert.deepEqual(await client[route]?.({ params: { id: 'x', key: 'x', size: '1' } }), BYTES, route);
    });
});
