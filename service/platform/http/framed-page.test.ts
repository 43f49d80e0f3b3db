import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { rateLimitWindows } from '@partner-portal/service/wiring/rate-limits.ts';
import { createBareServer } from '@partner-portal/tests/harness/bare-server.ts';
import { registerFramedPage } from './framed-page.ts';
import { createRateLimits } from './rate-limit.ts';

const folder = mkdtempSync(join(tmpdir(), 'framed-dist-'));
after(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'chat'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<title>Portal</title>');
writeFileSync(join(folder, 'widget.js'), 'void 0;');
mkdirSync(join(folder, 'widget'));
writeFileSync(join(folder, 'widget', '1.js'), 'void 1;');
writeFileSync(join(folder, 'widget.js.br'), brotliCompressSync('void 0;'));
writeFileSync(join(folder, 'chat', 'index.html'), '<title>Chat</title>');
writeFileSync(join(folder, 'chat', 'unavailable.html'), '<title>Not available</title>');

const KNOWN = '3f0c1a52-7a50-4b7e-9c1f-0a5b6c7d8e9f';
const OTHER = '3f0c1a52-7a50-4b7e-9c1f-0a5b6c7d8e90';

async function start(findOrigins: (id: string) => Promise<readonly string[] | undefined>) {
  const limits = createRateLimits(rateLimitWindows({ callerRequestsPerMinute: 4, partnerRequestsPerMinute: 100 }));
  const { app } = await createBareServer({ limits, portalDir: folder });
  await registerFramedPage(app, { path: '/chat/:id', dir: join(folder, 'chat'), findOrigins, limits });
  return app;
}

const ancestorsOf = (policy: unknown): string | undefined => /frame-ancestors ([^;]+)/.exec(String(policy))?.[1];

it('a page is framed by the websites of its id and by no other, and kept by no shared cache', async () => {
  const app = await start(async (id) => (id === KNOWN ? ['https://oak.example', 'https://www.oak.example:8443'] : undefined));
  const page = await app.inject(`/chat/${KNOWN}`);
  assert.equal(page.statusCode, 200);
  assert.match(page.body, /<title>Chat/);
  assert.equal(ancestorsOf(page.headers['content-security-policy']), "'self' https://oak.example https://www.oak.example:8443");
  assert.match(String(page.headers['content-security-policy']), /script-src 'self';/);
  assert.equal(page.headers['x-frame-options'], undefined, 'it would refuse every website');
  assert.equal(page.headers['cache-control'], 'private, no-cache');
  const missing = await app.inject(`/chat/${OTHER}`);
  assert.equal(missing.statusCode, 404);
  assert.match(missing.body, /Not available/);
  assert.equal(ancestorsOf(missing.headers['content-security-policy']), "'none'");
  await app.close();
});

it('what is no origin does not reach the header', async () => {
  const stored = [
    'https://a.example; script-src *',
    "'unsafe-inline'",
    '*',
    'https://b.example https://c.example',
    'https://ok.example',
    'data:',
  ];
  const app = await start(async () => stored);
  assert.equal(ancestorsOf((await app.inject(`/chat/${KNOWN}`)).headers['content-security-policy']), "'self' https://ok.example");
  await app.close();
});

it('guessing ids counts against the limit of the caller, showing a page does not; what is no id asks nothing', async () => {
  const asked: string[] = [];
  const app = await start(async (id) => {
    asked.push(id);
    return id === KNOWN ? [] : undefined;
  });
  for (let n = 0; n < 8; n += 1) assert.equal((await app.inject(`/chat/${KNOWN}`)).statusCode, 200);
  for (let n = 0; n < 4; n += 1) assert.equal((await app.inject('/chat/not-an-id')).statusCode, 404);
  assert.equal((await app.inject(`/chat/${OTHER}`)).statusCode, 429);
  assert.deepEqual([...new Set(asked)], [KNOWN, OTHER]);
  await app.close();
});

it('the script of other websites may be loaded by them, is kept for minutes and then asked for again', async () => {
  const app = await start(async () => undefined);
  for (const headers of [{}, { 'accept-encoding': 'gzip, br' }]) {
    const script = await app.inject({ url: '/widget.js', headers });
    assert.equal(script.headers['content-encoding'], 'accept-encoding' in headers ? 'br' : undefined);
    assert.equal(script.headers['cross-origin-resource-policy'], 'cross-origin');
    assert.match(String(script.headers['cache-control']), /^public, max-age=300/);
    const again = await app.inject({ url: '/widget.js', headers: { ...headers, 'if-none-match': String(script.headers.etag) } });
    assert.equal(again.statusCode, 304);
  }
  const own = await app.inject('/login');
  assert.equal(own.headers['cross-origin-resource-policy'], 'same-origin', 'nothing else is for other websites');
  await app.close();
});

it('each version of that script may be read by all websites, which compare it with its digest, and is kept by their browsers', async () => {
  const app = await start(async () => undefined);
  const headers = { origin: 'https://any.example' };
  for (const [url, kept] of [
    ['/widget/1.js', 'public, max-age=31536000, immutable'],
    ['/widget.js', 'public, max-age=300, stale-while-revalidate=86400'],
  ] as const) {
    const script = await app.inject({ url, headers });
    assert.deepEqual([script.statusCode, script.headers['access-control-allow-origin'], script.headers['cache-control']], [200, '*', kept]);
    assert.equal(script.headers['cross-origin-resource-policy'], 'cross-origin');
  }
  assert.equal((await app.inject({ url: '/login', headers })).headers['access-control-allow-origin'], undefined);
  assert.equal((await app.inject({ url: '/widget/2.js', headers })).statusCode, 404);
  await app.close();
});
