import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { defineRoute } from '@partner-portal/contract/define-route.ts';
import { createBareServer } from '@partner-portal/tests/harness/bare-server.ts';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { z } from 'zod';
import { newId } from '../ids.ts';
import { AppError } from '../refuse.ts';
import { bindRoute } from './bind-route.ts';
import { registerFramedPage } from './framed-page.ts';
import type { OwnHost } from './own-host.ts';
import { DENIED_FEATURES } from './security-headers.ts';

const CHATBOT = newId();
const STYLE = '@layer theme, base;@media (width < 768px){p{margin:0}}';
const own: OwnHost = {
  host: 'own.test',
  baseUrl: 'https://own.test',
  partnerId: newId(),
  name: 'Own </style><script>',
  logoUrl: null,
  logoAlt: null,
  brandColor: '#24478f',
  manifestUrl: '/manifest',
  touchIconUrl: '/icon',
};
const folder = mkdtempSync(join(tmpdir(), 'portal-headers-'));
let app: FastifyInstance;

/** A server with a built portal, a chat page, and one route that is refused, on an https address. */
async function open(options: { baseUrl?: string; hstsSubdomains?: boolean } = {}): Promise<FastifyInstance> {
  const { app: server, deps } = await createBareServer({
    baseUrl: 'https://portal.test',
    portalDir: folder,
    findOwnHost: (host) => (host === own.host ? own : null),
    ...options,
  });
  const base = { method: 'GET', tag: 'health', summary: 'test', access: { kind: 'public' }, limit: 'none', errors: [] } as const;
  const reply = { 200: z.object({ ok: z.boolean() }) };
  bindRoute(server, deps, 'fine', defineRoute({ ...base, path: '/fine', reply }), () => ({ ok: true }));
  bindRoute(server, deps, 'refused', defineRoute({ ...base, path: '/refused', reply }), () => {
    throw new AppError('not_found');
  });
  await registerFramedPage(server, {
    path: '/chat/:id',
    dir: join(folder, 'chat'),
    findOrigins: async (id) => (id === CHATBOT ? ['https://oak.example'] : undefined),
    limits: deps.limits,
  });
  return server;
}

before(async () => {
  for (const part of ['assets', 'chat']) mkdirSync(join(folder, part));
  const page = `<!doctype html><html><head><title>Portal</title><style>${STYLE}</style></head><body></body></html>`;
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'first-page.html'), page.replace('</head>', '<style>b{color:red}</style></head>'));
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'export {};');
  writeFileSync(join(folder, 'widget.js'), '0');
  writeFileSync(join(folder, 'theme.js'), '0');
  writeFileSync(join(folder, 'mail-frame.html'), '<!doctype html><script>show()</script>');
  for (const name of ['index', 'unavailable']) writeFileSync(join(folder, 'chat', `${name}.html`), '<!doctype html><title>Chat</title>');
  app = await open();
});
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
/** The policy by directive. */
const policyOf = ({ headers }: LightMyRequestResponse): Map<string, string> =>
  new Map(
    String(headers['content-security-policy'])
      .split(/; ?/)
      .map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1).join(' ')]),
  );

const RESPONSES = {
  'the landing page': '/',
  'a page': '/dashboard',
  'a page that is not there': '/nowhere',
  'an asset': '/assets/app-1a2b.js',
  'a file of the portal': '/theme.js',
  'a script for other websites': '/widget.js',
  'the frame of a mail': '/mail-frame.html',
  'a chat page': `/chat/${CHATBOT}`,
  'a chat page that is not there': `/chat/${newId()}`,
  'the API document': '/api/docs-json',
  'its page': '/api/docs',
  'a file of its page': '/api/docs/static/swagger-ui.css',
  'a reply of the API': '/fine',
  'a problem': '/refused',
};

describe('the headers by which browsers protect pages', () => {
  for (const [name, url] of Object.entries(RESPONSES))
    it(`are on ${name}`, async () => {
      const response = await app.inject({ url, headers: { accept: 'text/html', host: 'portal.test' } });
      const { headers } = response;
      assert.ok(response.statusCode < 500, response.body);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['permissions-policy'], DENIED_FEATURES);
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.match(String(headers['cross-origin-resource-policy']), /^(?:same|cross)-origin$/);
      assert.equal(headers['strict-transport-security'], 'max-age=31536000');
      assert.ok(headers['referrer-policy']);
      const policy = policyOf(response);
      assert.equal(policy.get('base-uri'), "'none'");
      assert.ok(policy.has('frame-ancestors'));
      assert.match(policy.get('script-src') ?? '', /^'(?:self|sha256-[^ ]+)'$/);
      if (url !== RESPONSES['the frame of a mail']) assert.doesNotMatch(policy.get('style-src') ?? '', /unsafe/);
      // The page of the API document is the library's, which makes HTML from texts; no session of the portal is kept there.
      if (!url.startsWith('/api/docs')) assert.equal(policy.get('require-trusted-types-for'), "'script'");
    });

  it('allow the styles that stand in a page by their hash, also those of an agency’s colours, and with what is unchanged', async () => {
    const landing = await app.inject({ url: '/', headers: { host: 'portal.test' } });
    assert.equal(policyOf(landing).get('style-src'), `'self' ${hash(STYLE)} ${hash('b{color:red}')}`);
    const branded = await app.inject({ url: '/login', headers: { host: own.host } });
    const inside = [...branded.body.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = '']) => hash(text));
    assert.equal(inside.length, 2);
    assert.deepEqual(new Set(policyOf(branded).get('style-src')?.split(' ')), new Set(["'self'", ...inside]));
    const unchanged = await app.inject({ url: '/', headers: { host: 'portal.test', 'if-none-match': String(landing.headers.etag) } });
    assert.equal(unchanged.statusCode, 304);
    assert.equal(unchanged.headers['content-security-policy'], landing.headers['content-security-policy']);
  });

  it('let other websites read what is made for them, and nothing else', async () => {
    for (const [url, expected] of [
      ['/widget.js', 'cross-origin'],
      [`/chat/${CHATBOT}`, 'cross-origin'],
      ['/theme.js', 'same-origin'],
      ['/dashboard', 'same-origin'],
    ] as const)
      assert.equal((await app.inject(url)).headers['cross-origin-resource-policy'], expected, url);
    assert.equal(policyOf(await app.inject('/dashboard')).get('frame-ancestors'), "'none'");
    assert.equal(policyOf(await app.inject('/mail-frame.html')).get('frame-ancestors'), "'self'");
    assert.equal(policyOf(await app.inject('/mail-frame.html')).get('script-src'), hash('show()'));
    assert.equal(policyOf(await app.inject(`/chat/${CHATBOT}`)).get('frame-ancestors'), "'self' https://oak.example");
  });

  it('ask for https below the public host where the setting says so, below the host of an agency never, and over http not at all', async () => {
    const wide = await open({ hstsSubdomains: true });
    const hsts = async (server: FastifyInstance, host: string) =>
      (await server.inject({ url: '/fine', headers: { host } })).headers['strict-transport-security'];
    assert.equal(await hsts(wide, 'portal.test'), 'max-age=31536000; includeSubDomains');
    assert.equal(await hsts(wide, own.host), 'max-age=31536000');
    const plain = await open({ baseUrl: 'http://portal.test', hstsSubdomains: true });
    assert.equal(await hsts(plain, 'portal.test'), undefined);
    await wide.close();
    await plain.close();
  });
});
