import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the next ID token shall be: changed claims, and how it is signed. */
export type Forgery = { claims?: Record<string, unknown>; signing?: 'rs256' | 'none' | 'other_key' | 'altered' };
export type HostileOidc = {
  issuer: string;
  forge(forgery: Forgery): void;
  /** Changes members of its discovery document; `undefined` leaves one out. */
  publish(changed: Record<string, unknown>): void;
  close(): Promise<void>;
};

/**
 * An OpenID Connect provider that sends forged tokens on request; a well-behaved one cannot be made to send a token that must be
 * refused.
 */
export async function startHostileOidc(clientId: string, person: { email: string }): Promise<HostileOidc> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const others = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const nonces = new Map<string, string>();
  let forgery: Forgery = {};
  let published: Record<string, unknown> = {};
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    const json = (value: unknown): void => void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    if (url.pathname === '/.well-known/openid-configuration') {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'none'],
        ...published,
      });
    }
    if (url.pathname === '/jwks')
      return json({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] });
    if (url.pathname === '/authorize') {
      const code = url.searchParams.get('state') ?? '';
      nonces.set(code, url.searchParams.get('nonce') ?? '');
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', code);
      return void response.writeHead(302, { location: back.href }).end();
    }
    let body = '';
    request.on('data', (chunk: Buffer) => void (body += chunk.toString()));
    request.on('end', () => {
      const code = new URLSearchParams(body).get('code') ?? '';
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: issuer,
        aud: clientId,
        sub: person.email,
        email: person.email,
        email_verified: true,
        iat: now,
        exp: now + 300,
        nonce: nonces.get(code),
        ...forgery.claims,
      };
      json({
        access_token: 'unused',
        token_type: 'Bearer',
        id_token: tokenOf(claims, forgery.signing ?? 'rs256', keys.privateKey, others.privateKey),
      });
    });
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    forge: (next) => void (forgery = next),
    publish: (changed) => void (published = changed),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function tokenOf(claims: object, signing: NonNullable<Forgery['signing']>, own: KeyObject, other: KeyObject): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part(signing === 'none' ? { alg: 'none' } : { alg: 'RS256', kid: 'one' })}.${part(claims)}`;
  if (signing === 'none') return `${signed}.`;
  const signature = createSign('sha256')
    .update(signed)
    .sign(signing === 'other_key' ? other : own, 'base64url');
  if (signing !== 'altered') return `${signed}.${signature}`;
  // The signature of what was, over what is claimed now.
  return `${part({ alg: 'RS256', kid: 'one' })}.${part({ ...claims, email_verified: true, altered: 'yes' })}.${signature}`;
}
