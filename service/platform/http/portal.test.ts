import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { routes } from '@partner-portal/contract/index.ts';
import { createBareServer } from '@partner-portal/tests/harness/bare-server.ts';
import type { FastifyInstance } from 'fastify';
import { buildDocument } from './document.ts';
import type { OwnHost } from './own-host.ts';
import { isPortalPath, PORTAL_PATHS } from './portal.ts';
import { DENIED_FEATURES } from './security-headers.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-dist-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('the portal and the API', () => {
  it('never own the same address', () => {
    const clashes = Object.values(routes).filter((route) => isPortalPath(route.path.replace(/:\w+/g, 'x')));
    assert.deepEqual(clashes, []);
    const shadowed = Object.values(routes).filter((route) =>
      PORTAL_PATHS.some((page) => page.endsWith('/*') && route.path.startsWith(page.slice(0, -1))),
    );
    assert.deepEqual(shadowed, []);
  });

  it('answer their own: pages get the portal, other addresses a problem, hashed files a long life', async () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Portal</title>');
    writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'export {};');
    writeFileSync(join(folder, 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    writeFileSync(join(folder, '.sources'), 'digest');
    const { app } = await createBareServer({ portalDir: folder });
    for (const page of ['/', '/login', '/dashboard/runs/42?status=FAILED', '/invite/abc', '/admin']) {
      const response = await app.inject(page);
      assert.match(response.body, /<title>Portal/, page);
      assert.equal(response.headers['cache-control'], 'no-cache', page);
      assert.match(String(response.headers['content-security-policy']), /default-src 'self'/, page);
      assert.equal(response.headers['permissions-policy'], DENIED_FEATURES, page);
    }
    const asset = await app.inject('/assets/app-1a2b.js');
    assert.match(String(asset.headers['cache-control']), /immutable/);
    assert.equal(asset.headers['permissions-policy'], DENIED_FEATURES);
    assert.equal((await app.inject({ method: 'HEAD', url: '/assets/app-1a2b.js' })).statusCode, 200);
    assert.equal((await app.inject('/mark.svg')).headers['cache-control'], 'no-cache');
    assert.doesNotMatch(app.printRoutes(), /app-1a2b/, 'a route for each of hundreds of files would hold up every start');
    assert.equal((await app.inject('/.sources')).statusCode, 404, 'what the build left for itself is not served');
    for (const other of ['/nowhere', '/assets/missing.js', '/dashboardx']) assert.equal((await app.inject(other)).statusCode, 404, other);
    assert.equal((await app.inject({ method: 'POST', url: '/login' })).statusCode, 404);
    await app.close();
  });

  it('refuse a path or a header that leads to no file, as a problem', async () => {
    const { app } = await createBareServer({ portalDir: folder });
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    const ask = async (path: string, header = 'x-none: x'): Promise<[number, string]> => {
      // A client of our own would tidy the path up.
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nhost: portal.test\r\n${header}\r\nconnection: close\r\n\r\n`);
      const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
      return [Number(head.split(' ')[1]), head.includes('problem+json') ? String((JSON.parse(body) as { code: string }).code) : body];
    };
    const nowhere = [
      '/assets/../x',
      '/assets/%2e%2e/x',
      '/assets/..\\x',
      '/assets/a%00b',
      '/%00',
      '/mark.svg%00',
      '/assets/',
      '/assets//x',
      '/assets/.',
      '/assets/%zz',
    ];
    for (const path of [...nowhere, `/assets/${'a'.repeat(5_000)}`])
      assert.deepEqual(await ask(path), [404, 'not_found'], path.slice(0, 40));
    assert.deepEqual(await ask('/assets/app-1a2b.js', 'range: bytes=9999-'), [416, 'range_not_satisfiable']);
    assert.deepEqual(await ask('/assets/app-1a2b.js', 'if-match: "another"'), [412, 'stale_record']);
    assert.deepEqual(await ask('/assets/app-1a2b.js'), [200, 'export {};']);
    await app.close();
  });

  it('show what the product is under its own host name, and nothing of it under another', async () => {
    writeFileSync(join(folder, 'first-page.html'), '<!doctype html><title>Start</title><link rel="canonical" href="{{base}}/" />');
    writeFileSync(join(folder, 'first-signup.html'), '<!doctype html><title>Apply</title><link rel="canonical" href="{{base}}/signup" />');
    const { app } = await createBareServer({ portalDir: folder });
    const ask = (url: string, host: string) => app.inject({ url, headers: { host } });
    const own = await ask('/', 'portal.test');
    assert.match(own.body, /<title>Start.*href="http:\/\/portal\.test\/"/);
    assert.deepEqual([own.headers['cache-control'], own.headers['content-type']], ['private, no-cache', 'text/html; charset=utf-8']);
    assert.match((await ask('/', 'agency.example')).body, /<title>Portal/);
    assert.match((await ask('/signup?trial=true', 'portal.test')).body, /<title>Apply.*href="http:\/\/portal\.test\/signup"/);
    assert.match((await ask('/signup', 'agency.example')).body, /<title>Portal/);
    assert.match((await ask('/login', 'portal.test')).body, /<title>Portal/);
    const robots = (await ask('/robots.txt', 'portal.test')).body;
    const closed = [
      'invite/',
      'login/callback',
      'unsubscribe?',
      'confirm-newsletter?',
      'newsletter/unsubscribe?',
      'notifications/unsubscribe?',
    ];
    assert.deepEqual(robots.trim().split('\n').filter(Boolean), [
      'User-agent: *',
      ...[...closed, 'reports/unsubscribe?'].map((path) => `Disallow: /${path}`),
      'Sitemap: http://portal.test/sitemap.xml',
    ]);
    assert.match((await ask('/sitemap.xml', 'portal.test')).body, /<loc>http:\/\/portal\.test\/signup<\/loc>/);
    assert.equal((await ask('/robots.txt', 'agency.example')).body, 'User-agent: *\nDisallow: /\n');
    assert.equal((await ask('/sitemap.xml', 'agency.example')).statusCode, 404);
    assert.equal((await ask('/favicon.ico', 'agency.example')).statusCode, 204);
    for (const file of ['/first-page.html', '/first-signup.html']) assert.equal((await ask(file, 'portal.test')).statusCode, 404);
    await app.close();
    for (const file of ['first-page.html', 'first-signup.html']) rmSync(join(folder, file));
  });

  it('answer a browser at an unknown address with a page, a program and a request next to a route with a problem', async () => {
    const { app } = await createBareServer({ portalDir: folder });
    app.get('/clients/:id', async () => ({}));
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const ask = (url: string, accept: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') => app.inject({ url, method, headers: { accept } });
    for (const url of ['/nonsense', '/nonsense/further?x=1', '/clientsx', '/dashboardx']) {
      const page = await ask(url, browser);
      assert.equal(page.statusCode, 404, url);
      assert.match(String(page.headers['content-type']), /^text\/html/, url);
      assert.match(page.body, /<title>Portal/, url);
      assert.deepEqual([page.headers['cache-control'], page.headers.etag], ['no-cache', undefined], url);
    }
    assert.equal((await ask('/nonsense', browser, 'HEAD')).statusCode, 404);
    const problems = [
      ask('/nonsense', 'application/json'),
      ask('/nonsense', '*/*'),
      ask('/nonsense', browser, 'POST'),
      ask('/clients/1/nonsense', browser),
      ask('/clients', browser),
      ask('/api/nonsense', browser),
      ask('/assets/missing.js', browser),
    ];
    for (const answer of await Promise.all(problems)) {
      assert.equal(answer.statusCode, 404);
      assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
    }
    await app.close();
  });
});

describe('a page of the portal', () => {
  const BROWSER = 'gzip, deflate, br, zstd';
  const HTML = `<!doctype html><html><head><title>Portal</title><meta name="description" content="Log in." /></head><body>${'<i></i>'.repeat(300)}</body></html>`;
  const host: OwnHost = {
    host: 'agency.example',
    baseUrl: 'http://agency.example',
    partnerId: 'p',
    name: 'Fjord & Co',
    logoUrl: null,
    logoAlt: null,
    brandColor: null,
    manifestUrl: '/manifest',
    touchIconUrl: '/icon',
  };
  const start = async () => {
    mkdirSync(join(folder, 'assets'), { recursive: true });
    writeFileSync(join(folder, 'index.html'), HTML);
    writeFileSync(
      join(folder, 'pages.json'),
      JSON.stringify([
        { path: '/dashboard/runs/:id', files: ['assets/run.js'] },
        { path: '/dashboard/runs/new', files: ['assets/new.js'] },
        { path: '/', files: ['assets/landing.js'] },
      ]),
    );
    return (await createBareServer({ portalDir: folder, findOwnHost: (name) => (name === host.host ? host : null) })).app;
  };
  const ask = (app: FastifyInstance, url: string, headers: Record<string, string>) =>
    app.inject({ url, headers: { host: 'portal.test', ...headers } });

  it('is sent compressed as the caller takes it, for every host, and says that it depends on that', async () => {
    const app = await start();
    for (const name of ['portal.test', host.host]) {
      const plain = await ask(app, '/login', { host: name });
      const brotli = await ask(app, '/login', { host: name, 'accept-encoding': BROWSER });
      const gzipped = await ask(app, '/login', { host: name, 'accept-encoding': 'br;q=0, gzip' });
      for (const [accepted, coding] of [
        ['*', 'br'],
        ['br;q=0, *', 'gzip'],
        ['gzip, *;q=0', 'gzip'],
        ['*;q=0', undefined],
      ])
        assert.equal((await ask(app, '/login', { host: name, 'accept-encoding': accepted ?? '' })).headers['content-encoding'], coding);
      assert.deepEqual(
        [plain, brotli, gzipped].map(({ headers }) => headers['content-encoding']),
        [undefined, 'br', 'gzip'],
      );
      assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), plain.body);
      assert.equal(gunzipSync(gzipped.rawPayload).toString(), plain.body);
      assert.equal(new Set([plain, brotli, gzipped].map(({ headers }) => headers.etag)).size, 3, 'a tag for each form');
      for (const { headers } of [plain, brotli, gzipped]) assert.match(String(headers.vary), /\baccept-encoding\b/i);
    }
    const missing = await ask(app, '/nowhere', { accept: 'text/html', 'accept-encoding': BROWSER });
    assert.deepEqual([missing.statusCode, missing.headers['content-encoding']], [404, 'br']);
    await app.close();
  });

  it('is not sent again while it is the same, and sent whole where it is another', async () => {
    const app = await start();
    const first = await ask(app, '/login', { 'accept-encoding': 'br' });
    const etag = String(first.headers.etag);
    const again = await ask(app, '/login', { 'accept-encoding': 'br', 'if-none-match': etag });
    assert.deepEqual([again.statusCode, again.body, again.headers.etag], [304, '', etag]);
    assert.match(String(again.headers.vary), /accept-encoding/);
    assert.equal((await ask(app, '/login', { 'accept-encoding': 'gzip', 'if-none-match': etag })).statusCode, 200);
    assert.equal((await ask(app, '/login', { host: host.host, 'accept-encoding': 'br', 'if-none-match': etag })).statusCode, 200);
    assert.equal((await ask(app, '/nowhere', { accept: 'text/html', 'if-none-match': etag })).statusCode, 404);
    await app.close();
  });

  it('names the scripts of its own route and of no other, to be loaded after those that run first', async () => {
    writeFileSync(join(folder, 'first-page.html'), '<!doctype html><html><head><title>Start</title></head></html>');
    const app = await start();
    rmSync(join(folder, 'first-page.html'));
    const scripts = async (url: string, headers = {}) =>
      [...(await ask(app, url, headers)).body.matchAll(/rel="modulepreload" crossorigin href="([^"]+)" fetchpriority="low"/g)].map(
        ([, file]) => file,
      );
    assert.deepEqual(await scripts('/dashboard/runs/42?tab=steps'), ['/assets/run.js']);
    assert.deepEqual(await scripts('/dashboard/runs/new'), ['/assets/new.js']);
    assert.deepEqual(await scripts('/dashboard/runs'), []);
    assert.deepEqual(await scripts('/dashboard/runs/42', { host: host.host, accept: 'text/html' }), [], 'a page that is not there');
    assert.deepEqual(await scripts('/nowhere', { accept: 'text/html' }), [], 'a page that is nowhere');
    assert.deepEqual(await scripts('/'), ['/assets/landing.js']);
    assert.equal((await ask(app, '/pages.json', {})).statusCode, 404);
    await app.close();
  });

  it('says in the words of its owner what it is', async () => {
    const app = await start();
    const described = async (name: string) => [
      ...(await ask(app, '/login', { host: name })).body.matchAll(/<meta name="description" content="([^"]+)"/g),
    ];
    assert.deepEqual(
      (await described(host.host)).map(([, text]) => text),
      ['Log in to see what Fjord &amp; Co does for your business.'],
    );
    assert.deepEqual(
      (await described('portal.test')).map(([, text]) => text),
      ['Log in.'],
    );
    await app.close();
  });

  it('has scripts that are compressed in advance, and those without a compressed form are sent too', async () => {
    const app = await start();
    writeFileSync(join(folder, 'assets', 'big-1a2b.js'), 'export const big = 1;');
    writeFileSync(join(folder, 'assets', 'big-1a2b.js.br'), brotliCompressSync('export const big = 1;'));
    writeFileSync(join(folder, 'assets', 'small-1a2b.js'), 'export const small = 1;');
    const big = await ask(app, '/assets/big-1a2b.js', { 'accept-encoding': BROWSER });
    assert.deepEqual([big.statusCode, big.headers['content-encoding']], [200, 'br']);
    assert.match(String(big.headers['content-type']), /javascript/);
    assert.match(String(big.headers.vary), /accept-encoding/i);
    assert.equal(brotliDecompressSync(big.rawPayload).toString(), 'export const big = 1;');
    assert.equal((await ask(app, '/assets/big-1a2b.js', {})).body, 'export const big = 1;');
    const small = await ask(app, '/assets/small-1a2b.js', { 'accept-encoding': BROWSER });
    assert.equal(brotliDecompressSync(small.rawPayload).toString(), 'export const small = 1;', 'compressed when it is sent');
    await app.close();
  });
});

describe('the API document', () => {
  it('names every route with its tag, its roles and its problems, and refers to nothing that is missing', async () => {
    const document = (await buildDocument(routes, 'http://portal.test')) as {
      paths: Record<string, Record<string, { tags: string[]; description: string; responses: Record<string, unknown> }>>;
      components: { schemas: Record<string, unknown> };
    }; // our own document
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    assert.equal(operations.length, Object.keys(routes).length);
    for (const operation of operations) {
      assert.equal(operation.tags.length, 1);
      assert.match(operation.description, /^Roles: /);
      assert.ok('500' in operation.responses);
    }
    const targets = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    for (const [, name = ''] of targets) assert.ok(name in document.components.schemas, name);
  });

  it('is served without login, with its page', async () => {
    const { app } = await createBareServer();
    assert.equal((await app.inject('/api/docs-json')).statusCode, 200);
    const page = await app.inject('/api/docs/');
    assert.equal(page.statusCode, 200);
    assert.match(String(page.headers['content-security-policy']), /img-src 'self' data:;/);
    await app.close();
  });
});
