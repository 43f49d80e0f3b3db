import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { createPage, type HtmlPage } from './html-page.ts';
import type { OwnHost } from './own-host.ts';
import { brandPage } from './own-host-page.ts';

/**
 * A page of the built portal, from its `pages.json`: the scripts that it needs beyond those that index.html names, and the part of the stylesheet that it needs, if it needs
 * no more.
 */
type PageFiles = { path: string; files: readonly string[]; sheet?: string };

/** Memory for pages with a tenant's branding, with both compressed forms; the portal has a fixed number of other pages. */
const BRANDED_BYTES_MAX = 32 * 1024 * 1024;

export type PortalPages = {
  /** Returns the page that is sent for a path (null: of an address where there is none), in the look of the host's owner if it has one. */
  find: (path: string | null, host: OwnHost | null) => HtmlPage;
  /** Puts the scripts that a path needs into another HTML file of the build. */
  withScriptsOf: (path: string, html: string) => string;
};

/**
 * Reads the built portal. Its pages are one HTML file, in which each names the scripts of its own route, so that a browser loads them at once.
 * They are made and compressed when they are first asked for, and kept: those of tenants while there is room, and while the look is the same.
 */
export async function readPortalPages(distDir: string): Promise<PortalPages> {
  const html = await readFile(join(distDir, 'index.html'), 'utf8');
  const text = await readFile(join(distDir, 'pages.json'), 'utf8').catch(() => '[]');
  const pages = (JSON.parse(text) as PageFiles[]) // written by the build of the portal
    .map((page) => ({ ...page, parts: partsOf(page.path) }))
    .toSorted((a, b) => variables(a.parts) - variables(b.parts));
  const own = new Map<string, HtmlPage>();
  const branded = new LRUCache<string, { host: OwnHost; page: HtmlPage }>({
    maxSize: BRANDED_BYTES_MAX,
    // As text in memory, and at most as much once more in each coding.
    sizeCalculation: ({ page }) => 4 * page.html.length,
  });
  const pageOf = (path: string) => {
    const parts = partsOf(path);
    return pages.find((one) => matches(one.parts, parts));
  };
  const find: PortalPages['find'] = (path, host) => {
    const listed = path === null ? undefined : pageOf(path);
    const key = listed?.path ?? '';
    const ofPage = (shown: string): string => withSheet(withScripts(shown, listed?.files ?? []), listed?.sheet);
    if (!host) {
      const page = own.get(key) ?? createPage(ofPage(html));
      own.set(key, page);
      return page;
    }
    const known = branded.get(`${host.host} ${key}`);
    // An equal host is the same object.
    if (known?.host === host) return known.page;
    const page = createPage(ofPage(brandPage(html, host)));
    branded.set(`${host.host} ${key}`, { host, page });
    return page;
  };
  return { find, withScriptsOf: (path, other) => withScripts(other, pageOf(path)?.files ?? []) };
}

/** The scripts of a page yield to its stylesheet and to the script that runs first, which index.html names. */
function withScripts(html: string, files: readonly string[]): string {
  const links = files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}" fetchpriority="low" />\n`).join('');
  return html.replace('</head>', () => `${links}</head>`);
}

/** Names a part of the stylesheet in place of the whole, whose address stays in the page for its script. */
function withSheet(html: string, sheet: string | undefined): string {
  if (sheet === undefined) return html;
  return html.replace(
    /(<link rel="stylesheet"[^>]*) href="([^"]+)"/,
    (_link, start: string, whole: string) => `${start} href="/${sheet}" data-whole="${whole}"`,
  );
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function variables(parts: readonly string[]): number {
  return parts.filter((part) => part.startsWith(':')).length;
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((part, at) => part.startsWith(':') || part === parts[at]);
}
