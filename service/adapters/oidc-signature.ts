import { type CompactJWSHeaderParameters, compactVerify, createLocalJWKSet, decodeProtectedHeader, errors, type JSONWebKeySet } from 'jose';
import { OidcFault, type TokenSignature } from './oidc-fault.ts';

const ASYMMETRIC = new Set(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']);
const SYMMETRIC = new Set(['HS256', 'HS384', 'HS512']);

/**
 * Verifies the signature of an ID token: by the published keys, or where it is made with the client secret (HS256), by that. Which one is
 * decided by the algorithm alone, so that a public key is never taken for a secret. Throws `OidcFault`.
 */
export async function verifyToken(token: string, clientSecret: string, readKeys: () => Promise<unknown>): Promise<TokenSignature> {
  const header = headerOf(token);
  const algorithm = String(header.alg ?? 'none');
  const signature = { algorithm: algorithm.slice(0, 60), key: typeof header.kid === 'string' ? header.kid.slice(0, 200) : null };
  if (algorithm === 'none')
    throw new OidcFault('not_signed', 'The ID token is not signed. Have your provider sign it with RS256.', { signature });
  if (SYMMETRIC.has(algorithm)) {
    await compactVerify(token, new TextEncoder().encode(clientSecret), { algorithms: [algorithm] }).catch((error: unknown) => {
      const message = `The ID token is signed with ${algorithm}, but not with this client secret. Paste the client secret again.`;
      throw new OidcFault('key_unknown', message, { signature, cause: error });
    });
    return signature;
  }
  if (!ASYMMETRIC.has(algorithm)) throw unsupported(signature);
  const keys = await readKeys();
  try {
    await verifyByKeys(token, algorithm, keys as JSONWebKeySet); // judged by the library, which throws JWKSInvalid
    return signature;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey)
      throw new OidcFault('key_unknown', 'The ID token is signed by a key that your provider does not publish.', {
        signature,
        cause: error,
      });
    if (error instanceof errors.JOSENotSupported) throw unsupported(signature, error);
    throw new OidcFault('invalid', 'The signature of the ID token is not valid.', { signature, cause: error });
  }
}

/** Most keys of one kind that are tried for a token that names none; providers publish two or three. */
const KEYS_MAX = 10;

/** A provider may publish several keys that fit when the token names none: each is tried. */
async function verifyByKeys(token: string, algorithm: string, keys: JSONWebKeySet): Promise<void> {
  try {
    await compactVerify(token, createLocalJWKSet(keys), { algorithms: [algorithm] });
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    let tried = 0;
    for await (const key of error) {
      if (++tried > KEYS_MAX) break;
      const isVerified = await compactVerify(token, key, { algorithms: [algorithm] }).then(
        () => true,
        () => false,
      );
      if (isVerified) return;
    }
    throw new errors.JWKSNoMatchingKey();
  }
}

function headerOf(token: string): Partial<CompactJWSHeaderParameters> {
  try {
    return decodeProtectedHeader(token);
  } catch (error) {
    throw new OidcFault('invalid', 'The ID token cannot be read.', { cause: error });
  }
}

function unsupported(signature: TokenSignature, cause?: unknown): OidcFault {
  const message = `The ID token is signed with ${signature.algorithm}, which is not supported. Choose RS256 or ES256.`;
  return new OidcFault('algorithm', message, { signature, cause });
}
