import { access, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createPage, type HtmlPage, type PageAnswer } from './html-page.ts';
import { readPortalPages } from './portal-pages.ts';
import { hashOf, policyText } from './security-headers.ts';
import { fillTextPage, type TextPage } from './text-page.ts';

/** Pages of the portal. All other paths belong to the API; a test asserts that the two never overlap. */
export const PORTAL_PATHS = [
  '/',
  '/login',
  '/signup',
  '/forgot-password',
  '/reset-password',
  '/status',
  '/terms',
  '/privacy',
  '/confirm-newsletter',
  '/unsubscribe',
  '/invite/*',
  '/login/*',
  '/problems/*',
  '/dashboard',
  '/dashboard/*',
  '/client',
  '/client/*',
  '/admin',
  '/admin/*',
] as const;

/** Pages that are not there on the host of a tenant: those of its own team, of staff, and about the platform. */
const MAIN_HOST_PATHS = [
  '/',
  '/signup',
  '/status',
  '/terms',
  '/privacy',
  '/confirm-newsletter',
  '/login/*',
  '/dashboard',
  '/dashboard/*',
  '/admin',
  '/admin/*',
] as const;

/** Returns whether a path belongs to the portal. */
export function isPortalPath(path: string): boolean {
  return isListed(PORTAL_PATHS, path);
}

function isListed(paths: readonly string[], path: string): boolean {
  return paths.some((known) => (known.endsWith('/*') ? path.startsWith(known.slice(0, -1)) : path === known));
}

/** The script that other websites include. It has a fixed address, so a change must arrive soon. */
const EMBEDDED_SCRIPT = 'widget.js';
/** Its versions, which websites name with their digest: none changes (core/conversation/widget-versions.ts). */
const EMBEDDED_VERSIONS = 'widget';
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The frame that shows a mail, whose styles are in its elements. It has no origin and holds nothing of the portal (portal/public/mail-frame.html). */
const MAIL_FRAME = 'mail-frame.html';

/** Pages that come whole, written by the build with `{{base}}` for the public address. */
const FIRST_PAGES = { '/': 'first-page.html', '/signup': 'first-signup.html' } as const;
/** The page that each text of the operator is put into. */
const TEXT_PAGE = 'first-text.html';

/** Cache header of pages that depend on their host. */
const PRIVATE = 'private, no-cache';

/** The compressed forms of a file. */
const COMPRESSED = /\.(?:br|gz)$/;

/** Files of the build that are for the service only, and the compressed copy of each file. */
const NOT_SERVED = /^\.|^pages\.json$|^first-\w+\.html$|\.(?:br|gz)$/;

/**
 * Serves the built portal: hashed files with a permanent cache, the page itself revalidated, all of them compressed in advance. Returns a
 * function that chooses the page for a path without a route (null: there is none), or null when the portal is not built (the API then runs
 * alone). Add routes to the app after this call.
 */
export async function registerPortal(
  app: FastifyInstance,
  distDir: string,
  baseUrl: string,
  texts: readonly TextPage[] = [],
): Promise<((request: FastifyRequest) => PageAnswer | null) | null> {
  const built = await access(join(distDir, 'index.html')).then(
    () => true,
    () => false,
  );
  if (!built) return null;
  const taken = new Set<string>();
  app.addHook('onRoute', ({ url }) => void taken.add(firstPart(url)));
  const shared = { index: false, cacheControl: false, preCompressed: true } as const;
  // One route for all assets: with one for each file a start would make twice as many routes as the API has.
  await app.register(fastifyStatic, {
    ...shared,
    root: join(distDir, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    setHeaders: setHeaders(FOR_EVER),
  });
  await app.register(fastifyStatic, {
    ...shared,
    root: join(distDir, EMBEDDED_VERSIONS),
    prefix: `/${EMBEDDED_VERSIONS}/`,
    decorateReply: false,
    setHeaders: (response) => setEmbedded(response, FOR_EVER),
  });
  const setOwn = setHeaders('no-cache');
  const mailPolicy = mailFramePolicy(await readFile(join(distDir, MAIL_FRAME), 'utf8').catch(() => ''));
  const setMailFrame = (response: FastifyReply): void => {
    setOwn(response);
    // Framed by the portal alone, also where a browser does not know `frame-ancestors`.
    // It has no origin that a process could be of.
    void response.headers({ 'content-security-policy': mailPolicy, 'x-frame-options': 'SAMEORIGIN' }).removeHeader('origin-agent-cluster');
  };
  await app.register(fastifyStatic, {
    ...shared,
    root: distDir,
    serve: false,
    setHeaders: (response, path) => {
      const name = basename(path).replace(COMPRESSED, '');
      if (name === EMBEDDED_SCRIPT) setEmbedded(response, 'public, max-age=300, stale-while-revalidate=86400');
      else (name === MAIL_FRAME ? setMailFrame : setOwn)(response);
    },
  });
  for (const entry of await readdir(distDir, { withFileTypes: true }))
    if (entry.isFile() && !NOT_SERVED.test(entry.name)) app.get(`/${entry.name}`, (_request, reply) => reply.sendFile(entry.name));
  const pages = await readPortalPages(distDir);
  const firstPages = new Map<string, HtmlPage>();
  for (const [path, file] of Object.entries(FIRST_PAGES)) {
    const html = await readFile(join(distDir, file), 'utf8').catch(() => null);
    if (html !== null) firstPages.set(path, createPage(pages.withScriptsOf(path, html.replaceAll('{{base}}', baseUrl))));
  }
  const shell = await readFile(join(distDir, TEXT_PAGE), 'utf8').catch(() => null);
  if (shell !== null)
    for (const text of texts) firstPages.set(text.path, createPage(fillTextPage(shell.replaceAll('{{base}}', baseUrl), text)));
  registerCrawlerFiles(app, baseUrl);
  return (request) => {
    const path = request.url.split('?')[0] ?? '';
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const first = firstPages.get(path);
    if (first && isMainHost(request, baseUrl)) return { status: 200, page: first, cacheControl: PRIVATE };
    const isThere = isPortalPath(path) && !(request.ownHost && isListed(MAIN_HOST_PATHS, path));
    // A mistyped address shows a page, except below a path of the API.
    if (!isThere && !isPortalPath(path) && (!wantsPage(request.headers.accept) || taken.has(firstPart(path)))) return null;
    const page = pages.find(isThere ? path : null, request.ownHost);
    return { status: isThere ? 200 : 404, page, cacheControl: request.ownHost ? PRIVATE : 'no-cache' };
  };
}

/** Whether the platform's own address was asked for: other names lead to a tenant's portal, which never shows the platform. */
function isMainHost(request: FastifyRequest, baseUrl: string): boolean {
  return request.host === new URL(baseUrl).host;
}

/**
 * Search engines get the pages for people who do not know the product, and nothing on other names. Closed are the addresses that
 * hold a token; pages behind the login show a crawler nothing but the login.
 */
function registerCrawlerFiles(app: FastifyInstance, baseUrl: string): void {
  const pages = ['/', '/signup', '/terms', '/privacy'].map((path) => `<url><loc>${baseUrl}${path}</loc></url>`).join('');
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages}</urlset>\n`;
  const mailed = ['unsubscribe', 'confirm-newsletter', 'newsletter/unsubscribe', 'notifications/unsubscribe', 'reports/unsubscribe'];
  const closed = ['invite/', 'login/callback', ...mailed.map((path) => `${path}?`)];
  const robots = `User-agent: *\n${closed.map((path) => `Disallow: /${path}\n`).join('')}\nSitemap: ${baseUrl}/sitemap.xml\n`;
  app.get('/robots.txt', (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(isMainHost(request, baseUrl) ? robots : 'User-agent: *\nDisallow: /\n'),
  );
  // Browsers ask for it where the icon that a page names has not come: those on the host of a tenant are not to see the platform's.
  app.get('/favicon.ico', (_request, reply) => reply.code(204).header('cache-control', 'public, max-age=86400').send());
  app.get('/sitemap.xml', (request, reply) => {
    if (!isMainHost(request, baseUrl)) return reply.callNotFound();
    return reply.type('application/xml; charset=utf-8').send(sitemap);
  });
}

function setHeaders(cacheControl: string): (response: FastifyReply) => void {
  return (response) => void response.header('cache-control', cacheControl);
}

/** A browser compares a script with its digest only where the website may read it. */
function setEmbedded(response: FastifyReply, cacheControl: string): void {
  void response.headers({
    'cache-control': cacheControl,
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  });
}

/** Styles of a mail are in its elements, so all are allowed; the one script is named by its hash, and makes HTML by a policy of its own. */
function mailFramePolicy(html: string): string {
  const scripts = [...html.matchAll(/<script>([^<]*)<\/script>/g)].map(([, text = '']) => hashOf(text));
  return policyText({
    defaultSrc: ["'none'"],
    scriptSrc: scripts.length > 0 ? scripts : ["'none'"],
    styleSrc: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'https:'],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'self'"],
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ['mail'],
    sandbox: ['allow-scripts'],
  });
}

function firstPart(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Browsers name text/html when they navigate; programs that accept anything do not. */
function wantsPage(accept: string | undefined): boolean {
  return accept?.split(',').some((type) => type.split(';')[0]?.trim().toLowerCase() === 'text/html') ?? false;
}
