import jwt from '@fastify/jwt';
import type { ErrorCode } from '@partner-portal/contract/errors.ts';
import {
  AUTH_METHODS,
  type AuthMethod,
  LIMITS,
  PARTNER_ROLES,
  type PartnerRole,
  type Role,
  ROLES,
} from '@partner-portal/contract/vocabulary.ts';
import type { DeviceProof } from '@partner-portal/core/people/known-device.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import { newId } from '../ids.ts';
import { AppError } from '../refuse.ts';
import type { Secret } from '../secret.ts';

/** Claims of a new session. */
export type SessionClaims = {
  userId: string;
  email: string;
  role: Role;
  partnerId: string;
  partnerRole?: PartnerRole | null;
  clientId?: string | null;
  authMethod: AuthMethod;
  /** Staff user behind a view-as session. */
  actingUserId?: string;
  /** Earliest start. A session issued in the second in which others were ended starts after it. */
  validFrom?: Date;
  /** Latest end, for a session that replaces another. */
  validUntil?: Date;
};

/** A key that signs or verifies sessions; `id` is the `kid` of its tokens, null for tokens without one. */
export type SigningKey = { id: string | null; secret: Secret };

export type Sessions = {
  /** Issues a session; `expiresInSeconds` overrides the configured lifetime. */
  issue(claims: SessionClaims, expiresInSeconds?: number): { accessToken: string; issuedAt: Date; expiresAt: Date; jti: string };
  /** Verifies signature and expiry without a query. Refuses `token_expired` or `unauthenticated`. */
  read(authorization: string | undefined): Actor;
  /** Issues the token of a sign-in that awaits its second step. `read` refuses it. */
  issueChallenge(challenge: { id: string; userId: string }): { tempToken: string; expiresAt: Date };
  /** Verifies a challenge token. Refuses `mfa_challenge_expired`, or `unauthenticated` for any other token. */
  readChallenge(tempToken: string): { id: string; userId: string };
  /** Issues the proof of a known device. `validFrom` as for sessions. Neither `read` nor `readChallenge` accepts it. */
  issueDevice(device: Omit<DeviceProof, 'issuedAt'> & { validFrom: Date }): string;
  /** Returns the proof, or null when the token is none, expired or not ours. */
  readDevice(token: string): DeviceProof | null;
  /** Issues the challenge of a proof of work for one `subject`. `bits`: zero bits that the hash of a solution begins with. */
  issueWork(work: { subject: string; bits: number }): string;
  /** Returns what the challenge asks for, or null when it is none, expired or not ours. `id` distinguishes it from every other. */
  readWork(challenge: string): { id: string; subject: string; bits: number } | null;
};

const claimsShape = z.object({
  sub: z.uuid(),
  email: z.string(),
  role: z.enum(ROLES),
  partnerId: z.uuid(),
  partnerRole: z.enum(PARTNER_ROLES).optional(),
  clientId: z.uuid().optional(),
  authMethod: z.enum(AUTH_METHODS).default('password'),
  iat: z.number(),
  exp: z.number(),
  jti: z.uuid(),
  act: z.object({ sub: z.uuid() }).optional(),
  /** Sessions have no audience; challenges do. */
  aud: z.undefined().optional(),
});
const CHALLENGE = 'mfa_challenge';
const DEVICE = 'known_device';
const deviceShape = z.object({ aud: z.literal(DEVICE), sub: z.uuid(), jti: z.uuid(), iat: z.number(), mfa: z.boolean() });
const challengeShape = z.object({ aud: z.literal(CHALLENGE), sub: z.uuid(), jti: z.uuid() });
const WORK = 'login_work';
const workShape = z.object({ aud: z.literal(WORK), sub: z.string(), jti: z.uuid(), bits: z.int() });

/**
 * Registers token signing on the server. `secret` signs, under `keyId` if it has one; it and the `older` keys verify. Accepts HS256 only,
 * regardless of a token's header.
 */
export async function createSessions(
  app: FastifyInstance,
  options: { secret: Secret; keyId?: string | null; older?: readonly SigningKey[]; expiresInSeconds: number; clock: Clock },
): Promise<Sessions> {
  const newest: SigningKey = { id: options.keyId ?? null, secret: options.secret };
  await app.register(jwt, {
    secret: newest.secret.reveal(),
    sign: { algorithm: 'HS256', ...(newest.id === null ? {} : { kid: newest.id }) },
    verify: { algorithms: ['HS256'], cache: false },
  });
  const verify = createVerify(app, [newest, ...(options.older ?? [])], options.clock);
  return {
    issue(claims, expiresInSeconds = options.expiresInSeconds) {
      const iat = Math.floor(Math.max(options.clock.now().getTime(), claims.validFrom?.getTime() ?? 0) / 1000);
      const jti = newId();
      const exp = Math.min(iat + expiresInSeconds, Math.floor((claims.validUntil?.getTime() ?? Infinity) / 1000));
      const payload = {
        sub: claims.userId,
        email: claims.email,
        role: claims.role,
        partnerId: claims.partnerId,
        ...(claims.partnerRole ? { partnerRole: claims.partnerRole } : {}),
        ...(claims.clientId ? { clientId: claims.clientId } : {}),
        authMethod: claims.authMethod,
        ...(claims.actingUserId ? { act: { sub: claims.actingUserId } } : {}),
        iat,
        exp,
        jti,
      };
      return { accessToken: app.jwt.sign(payload), issuedAt: new Date(iat * 1000), expiresAt: new Date(exp * 1000), jti };
    },
    read(authorization) {
      const token = /^Bearer +([^\s]+)$/i.exec(authorization ?? '')?.[1];
      if (!token) throw new AppError('unauthenticated');
      return toActor(parse(claimsShape, verify(token)));
    },
    issueChallenge({ id, userId }) {
      const iat = Math.floor(options.clock.now().getTime() / 1000);
      const exp = iat + LIMITS.mfaChallengeMinutes * 60;
      return { tempToken: app.jwt.sign({ aud: CHALLENGE, sub: userId, jti: id, iat, exp }), expiresAt: new Date(exp * 1000) };
    },
    readChallenge(tempToken) {
      const { jti: id, sub: userId } = parse(challengeShape, verify(tempToken, 'mfa_challenge_expired'));
      return { id, userId };
    },
    issueDevice({ userId, deviceId, secondStep, validFrom }) {
      const iat = Math.floor(Math.max(options.clock.now().getTime(), validFrom.getTime()) / 1000);
      const exp = iat + LIMITS.knownDeviceDays * 86_400;
      return app.jwt.sign({ aud: DEVICE, sub: userId, jti: deviceId, mfa: secondStep, iat, exp });
    },
    readDevice(token) {
      const claims = readOrNull(deviceShape, verify, token);
      return claims && { userId: claims.sub, deviceId: claims.jti, secondStep: claims.mfa, issuedAt: new Date(claims.iat * 1000) };
    },
    issueWork({ subject, bits }) {
      const iat = Math.floor(options.clock.now().getTime() / 1000);
      return app.jwt.sign({ aud: WORK, sub: subject, jti: newId(), bits, iat, exp: iat + LIMITS.loginProofMinutes * 60 });
    },
    readWork(challenge) {
      const claims = readOrNull(workShape, verify, challenge);
      return claims && { id: claims.jti, subject: claims.sub, bits: claims.bits };
    },
  };
}

type Verify = (token: string, whenExpired?: ErrorCode) => unknown;

/**
 * Verifies a token with the key that its `kid` names. A token without a `kid` is from before key ids, or from a secret that had none then: the
 * keys are tried in turn, newest first.
 */
function createVerify(app: FastifyInstance, keys: readonly SigningKey[], clock: Clock): Verify {
  return (token, whenExpired = 'token_expired') => {
    const clockTimestamp = clock.now().getTime();
    const kid = keyIdOf(app, token);
    const candidates = kid === null ? keys : keys.filter((key) => key.id === kid);
    for (const { secret } of candidates) {
      try {
        return app.jwt.verify(token, { key: secret.reveal(), clockTimestamp });
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : null;
        if (code === 'FAST_JWT_INVALID_SIGNATURE') continue;
        throw new AppError(code === 'FAST_JWT_EXPIRED' ? whenExpired : 'unauthenticated');
      }
    }
    throw new AppError('unauthenticated');
  };
}

/** The `kid` of a token that is not verified yet; null without one. */
function keyIdOf(app: FastifyInstance, token: string): string | null {
  let decoded: { header?: { kid?: unknown } } | null;
  try {
    decoded = app.jwt.decode<{ header: { kid?: unknown } }>(token, { complete: true });
  } catch {
    throw new AppError('unauthenticated');
  }
  const kid = decoded?.header?.kid;
  return typeof kid === 'string' ? kid : null;
}

/** Returns the claims of a token that is no session, or null when it is not a valid one of this shape. */
function readOrNull<S extends z.ZodType>(shape: S, verify: Verify, token: string): z.output<S> | null {
  try {
    return parse(shape, verify(token));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function parse<S extends z.ZodType>(shape: S, payload: unknown): z.output<S> {
  const claims = shape.safeParse(payload);
  if (!claims.success) throw new AppError('unauthenticated');
  return claims.data;
}

function toActor(claims: z.output<typeof claimsShape>): Actor {
  return {
    kind: 'user',
    userId: claims.sub,
    email: claims.email,
    role: claims.role,
    partnerId: claims.partnerId,
    // A PARTNER token without a permission gets the weaker one.
    partnerRole: claims.role === 'PARTNER' ? (claims.partnerRole ?? 'moderator') : null,
    clientId: claims.role === 'CLIENT' ? (claims.clientId ?? refuseClientless()) : null,
    authMethod: claims.authMethod,
    jti: claims.jti,
    issuedAt: new Date(claims.iat * 1000),
    expiresAt: new Date(claims.exp * 1000),
    readOnly: claims.authMethod === 'view_as',
    actingUserId: claims.act?.sub ?? null,
    whileSuspended: false,
  };
}

/** A CLIENT session without a client id would see the whole tenant. */
function refuseClientless(): never {
  throw new AppError('unauthenticated');
}
