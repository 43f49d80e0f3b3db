import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pagePolicy } from './security-headers.ts';

const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];

const COMPRESS: Readonly<Record<Coding, (html: string) => Promise<Buffer>>> = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** A page that is kept in memory: compressed when it is first asked for, and then sent as it is. */
export type HtmlPage = {
  html: string;
  /** Differs between pages with different text. */
  tag: string;
  /** Its content security policy. */
  policy: string;
  compress: (coding: Coding) => Promise<Buffer>;
};

export function createPage(html: string): HtmlPage {
  const done = new Map<Coding, Promise<Buffer>>();
  return {
    html,
    tag: createHash('sha256').update(html).digest('base64url').slice(0, 22),
    policy: pagePolicy(html),
    compress: (coding) => {
      const compressed = done.get(coding) ?? COMPRESS[coding](html);
      done.set(coding, compressed);
      return compressed;
    },
  };
}

export type PageAnswer = { status: 200 | 404; page: HtmlPage; cacheControl: string };

/** Sends a page in the best encoding the caller takes, or that it is unchanged. A 404 has no validators: it is always sent whole. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, page, cacheControl }: PageAnswer,
): Promise<FastifyReply> {
  const coding = CODINGS.find((name) => takes(request.headers['accept-encoding'], name));
  void reply.headers({
    'cache-control': cacheControl,
    'content-security-policy': page.policy,
    vary: withEncoding(reply.getHeader('vary')),
  });
  if (status === 200) {
    const etag = `"${page.tag}${coding === undefined ? '' : `-${coding}`}"`;
    void reply.header('etag', etag);
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  }
  void reply.code(status).type('text/html; charset=utf-8');
  if (coding === undefined) return reply.send(page.html);
  return reply.header('content-encoding', coding).send(await page.compress(coding));
}

/** Whether a header such as `gzip, br;q=0` lists the coding, or any by `*`, without refusing it. */
function takes(acceptEncoding: string | string[] | undefined, coding: Coding): boolean {
  const listed = [acceptEncoding ?? ''].flat().join(',').toLowerCase().split(',');
  const parts = listed.map((part) => part.split(';').map((text) => text.trim()));
  // An entry for the coding itself takes precedence over `*`.
  const found = parts.find(([name]) => name === coding) ?? parts.find(([name]) => name === '*');
  return found !== undefined && !found.slice(1).some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
}

function withEncoding(vary: number | string | string[] | undefined): string {
  return [...[vary ?? []].flat().map(String), 'accept-encoding'].join(', ');
}

/** If-None-Match compares weakly. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ?? false;
}
