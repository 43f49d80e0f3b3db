import { createHash } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

const HSTS_SECONDS = 31_536_000;

/** Browser features no page uses, denied to injected scripts. */
export const DENIED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** No text becomes code: what takes scripts, or HTML that may hold one, takes what one of these policies made, and nothing else. */
const TRUSTED_TYPES = { requireTrustedTypesFor: ["'script'"], trustedTypes: ['portal'] };

/** Directives of every response except pages with their own. Inline scripts and styles need a hash. */
const DIRECTIVES = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'https:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  ...TRUSTED_TYPES,
};

export type SecurityHeaderOptions = { baseUrl: string; hstsSubdomains?: boolean };

/** Sets the headers by which browsers protect pages, on every response but those to machines (`helmet: false`). */
export async function registerSecurityHeaders(
  app: FastifyInstance,
  { baseUrl, hstsSubdomains = false }: SecurityHeaderOptions,
): Promise<void> {
  const isSecure = baseUrl.startsWith('https:');
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: DIRECTIVES },
    strictTransportSecurity: isSecure ? { maxAge: HSTS_SECONDS, includeSubDomains: hstsSubdomains } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Opened by no other site and read by none; what websites and mails show says so itself.
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  });
  app.addHook('onRequest', async (_request, reply) => {
    // Responses to machines have no policy at all.
    if (reply.hasHeader('content-security-policy')) void reply.header('permissions-policy', DENIED_FEATURES);
  });
  if (!isSecure) return;
  app.addHook('onRequest', async (request, reply) => {
    // The names below the host of a tenant are theirs.
    if (request.ownHost && reply.hasHeader('strict-transport-security'))
      void reply.header('strict-transport-security', `max-age=${HSTS_SECONDS}`);
  });
}

/** Returns the policy of a page, with the hashes of the styles that stand in it. */
export function pagePolicy(html: string): string {
  const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = '']) => hashOf(text));
  return policyText({ ...DIRECTIVES, styleSrc: [...DIRECTIVES.styleSrc, ...new Set(styles)] });
}

/** Returns a source of a policy: the hash of a style or script as it stands in a page. */
export function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Returns directives by their names in JavaScript as the text of a policy. */
export function policyText(directives: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => [name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), ...sources].join(' '))
    .join('; ');
}
