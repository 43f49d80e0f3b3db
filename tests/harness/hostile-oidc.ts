import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Differences of the next ID token from a valid one: its claims and its signature. */
export type Forgery = {
  claims?: Record<string, unknown>;
  signing?: 'rs256' | 'es256' | 'hs256' | 'hs512' | 'ed25519' | 'none' | 'other_key' | 'other_secret' | 'altered';
  /** Leaves the id of the key out of the token. */
  namesNoKey?: boolean;
  /** The provider's clock minus the service's, in seconds. */
  skewSeconds?: number;
  /** The response of userinfo: these claims, or a status. */
  userinfo?: Record<string, unknown> | number;
  /** The response of the authorization endpoint instead of a code. */
  error?: { error: string; error_description?: string; hasState?: boolean };
};
export type HostileOidc = {
  issuer: string;
  forge(forgery: Forgery): void;
  /** Changes members of its discovery document; `undefined` leaves one out. */
  publish(changed: Record<string, unknown>): void;
  /** Signs with another key from now on; the old key stays published if `keepsOld`. */
  rotate(options: { keepsOld: boolean }): void;
  /** The one way in which it takes the client secret; any when null. `raw`: Basic whose parts it does not decode. */
  accept(method: ClientProof | null): void;
  /** Sets the response of the token endpoint to an accepted client; null for tokens. */
  breakToken(answer: { status: number; body: string } | null): void;
  /** Returns the authentication methods that clients used since the last call. */
  proofs(): (ClientProof | null)[];
  /** Number of userinfo requests. */
  userinfoCalls(): number;
  close(): Promise<void>;
};

export type ClientProof = 'basic' | 'raw' | 'post' | 'jwt';

const SECRET = 'secret';

/**
 * An OpenID Connect provider that differs from others as it is asked to, and sends forged tokens; a well-behaved one cannot be made to send a
 * token that must be refused. Its client secret is `secret`; what is sent by Basic is decoded unless it accepts `raw` only.
 */
export async function startHostileOidc(clientId: string, person: { email: string }, clientSecret = SECRET): Promise<HostileOidc> {
  const rsa = (): KeyPair => ({ ...generateKeyPairSync('rsa', { modulusLength: 2048 }), kid: `key-${(count += 1)}` });
  let count = 0;
  let keys = rsa();
  let old: KeyPair | null = null;
  const others = rsa();
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ed = generateKeyPairSync('ed25519');
  const nonces = new Map<string, string>();
  let forgery: Forgery = {};
  let published: Record<string, unknown> = {};
  let accepted: ClientProof | null = null;
  let broken: { status: number; body: string } | null = null;
  let proofs: (ClientProof | null)[] = [];
  let userinfoCalls = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    const json = (value: unknown, status = 200): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (url.pathname === '/.well-known/openid-configuration') {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'ES256', 'HS256', 'HS512', 'Ed25519', 'none'],
        ...published,
      });
    }
    if (url.pathname === '/jwks') {
      const jwk = ({ publicKey, kid }: Pick<KeyPair, 'publicKey' | 'kid'>, alg: string) => ({
        ...publicKey.export({ format: 'jwk' }),
        kid,
        alg,
        use: 'sig',
      });
      const own = [keys, ...(old ? [old] : [])].map((one) => jwk(one, 'RS256'));
      return json({ keys: [...own, jwk({ ...ec, kid: 'ec' }, 'ES256'), jwk({ ...ed, kid: 'ed' }, 'Ed25519')] });
    }
    if (url.pathname === '/userinfo') {
      userinfoCalls += 1;
      const { userinfo = { sub: person.email } } = forgery;
      return typeof userinfo === 'number' ? json({ error: 'server_error' }, userinfo) : json({ sub: person.email, ...userinfo });
    }
    if (url.pathname === '/authorize') {
      const code = url.searchParams.get('state') ?? '';
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      if (forgery.error) {
        const { hasState = true, ...said } = forgery.error;
        for (const [name, value] of Object.entries(said)) back.searchParams.set(name, value);
        if (hasState) back.searchParams.set('state', code);
        return void response.writeHead(302, { location: back.href }).end();
      }
      nonces.set(code, url.searchParams.get('nonce') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', code);
      return void response.writeHead(302, { location: back.href }).end();
    }
    let body = '';
    request.on('data', (chunk: Buffer) => void (body += chunk.toString()));
    request.on('end', () => {
      const form = new URLSearchParams(body);
      const method = provenBy(request, form, { clientId, clientSecret, isDecoding: accepted !== 'raw' });
      proofs.push(method);
      if (method === null || (accepted !== null && method !== accepted)) {
        if (request.headers.authorization) response.setHeader('www-authenticate', 'Basic realm="token"');
        return json({ error: 'invalid_client', error_description: 'The client could not be authenticated.' }, 401);
      }
      if (broken) return void response.writeHead(broken.status, { 'content-type': 'application/json' }).end(broken.body);
      const nonce = nonces.get(form.get('code') ?? '');
      if (nonce === undefined) return json({ error: 'invalid_grant', error_description: 'The code was used.' }, 400);
      nonces.delete(form.get('code') ?? '');
      const now = Math.floor(Date.now() / 1000) + (forgery.skewSeconds ?? 0);
      const claims = {
        iss: issuer,
        aud: clientId,
        sub: person.email,
        email: person.email,
        email_verified: true,
        iat: now,
        exp: now + 300,
        nonce,
        ...forgery.claims,
      };
      return json({ access_token: 'unused', token_type: 'Bearer', id_token: tokenOf(claims) });
    });
    return undefined;
  });
  const tokenOf = (claims: object): string => {
    const { signing = 'rs256', namesNoKey } = forgery;
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const join = (header: { alg: string; kid?: string }, of: object, signer: (text: Buffer) => Buffer): string => {
      const text = `${part(namesNoKey ? { alg: header.alg } : header)}.${part(of)}`;
      return `${text}.${signer(Buffer.from(text)).toString('base64url')}`;
    };
    const rs256 = (pair: KeyPair) => (text: Buffer) => sign('sha256', text, pair.privateKey);
    const hmac = (hash: string, secret: string) => (text: Buffer) => createHmac(hash, secret).update(text).digest();
    switch (signing) {
      case 'none':
        return `${part({ alg: 'none' })}.${part(claims)}.`;
      case 'es256':
        return join({ alg: 'ES256', kid: 'ec' }, claims, (text) => sign('sha256', text, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }));
      case 'ed25519':
        return join({ alg: 'Ed25519', kid: 'ed' }, claims, (text) => sign(null, text, ed.privateKey));
      case 'hs256':
        return join({ alg: 'HS256' }, claims, hmac('sha256', clientSecret));
      case 'hs512':
        return join({ alg: 'HS512' }, claims, hmac('sha512', clientSecret));
      case 'other_secret':
        return join({ alg: 'HS256' }, claims, hmac('sha256', 'another secret'));
      case 'other_key':
        return join({ alg: 'RS256', kid: keys.kid }, claims, rs256(others));
      case 'altered': {
        // The signature of what was, over what is claimed now.
        const [, , signature = ''] = join({ alg: 'RS256', kid: keys.kid }, claims, rs256(keys)).split('.');
        return `${part({ alg: 'RS256', kid: keys.kid })}.${part({ ...claims, email_verified: true, altered: 'yes' })}.${signature}`;
      }
      case 'rs256':
        return join({ alg: 'RS256', kid: keys.kid }, claims, rs256(keys));
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    forge: (next) => void (forgery = next),
    publish: (changed) => void (published = changed),
    rotate: ({ keepsOld }) => {
      old = keepsOld ? keys : null;
      keys = rsa();
    },
    accept: (method) => void (accepted = method),
    breakToken: (answer) => void (broken = answer),
    proofs: () => {
      const seen = proofs;
      proofs = [];
      return seen;
    },
    userinfoCalls: () => userinfoCalls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type KeyPair = { publicKey: KeyObject; privateKey: KeyObject; kid: string };

type Client = { clientId: string; clientSecret: string; isDecoding: boolean };

/** Returns how the client proved itself; null when it did not. */
function provenBy({ headers }: IncomingMessage, form: URLSearchParams, { clientId, clientSecret, isDecoding }: Client): ClientProof | null {
  if (form.get('client_secret') === clientSecret) return 'post';
  if (form.has('client_assertion')) return isSigned(form.get('client_assertion') ?? '', clientSecret) ? 'jwt' : null;
  const [scheme, value = ''] = (headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'basic') return null;
  const text = Buffer.from(value, 'base64').toString();
  const at = text.indexOf(':');
  const given = [text.slice(0, at), text.slice(at + 1)];
  const isOurs = ([id, secret]: readonly string[]): boolean => id === clientId && secret === clientSecret;
  if (!isDecoding) return isOurs(given) ? 'raw' : null;
  try {
    return isOurs(given.map((part) => decodeURIComponent(part.replaceAll('+', ' ')))) ? 'basic' : null;
  } catch {
    return null;
  }
}

/** RFC 7523: an assertion with HMAC and SHA-256. */
function isSigned(assertion: string, secret: string): boolean {
  const [header = '', claims = '', signature = ''] = assertion.split('.');
  return createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url') === signature;
}
