import { flagsReplySchema, signInReplySchema } from '@partner-portal/engine/protocol.ts';
import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import type { Secret } from '#platform/secret.ts';
import { EngineError, isEngineError } from './engine-error.ts';
import type { Call, EngineHttp } from './engine-http.ts';

export type EngineAccount = { email: string; password: Secret };
export type EngineSessionState = { signedInAt: Date | null; expiresAt: Date | null };
export type EngineAbout = { version: string; edition: string; /** Whether this client was tested with that version. */ tested: boolean };

export type EngineSession = {
  /** Calls with the admin token. Logs in when there is none, shortly before it expires, and once more when the engine refuses it. */
  call<T>(call: Call, shape: z.ZodType<T>): Promise<T>;
  about(): Promise<EngineAbout>;
  /** Drops the session; the next call logs in. */
  forget(): void;
  /**
   * Drops a session that began before `since`, logs in and checks that the engine accepts the new one. Throws the cause of a failure; the former session
   * is gone then, too.
   */
  refresh(since: Date): Promise<void>;
  state(): EngineSessionState;
};

const RENEW_BEFORE_MS = 10 * 60_000;
const SIGN_IN_TIMEOUT_MS = 15_000;
const HEALTH_TIMEOUT_MS = 5_000;
/** A route that refuses every session so must not cost two sign-ins a call. */
const UNCURED_MS = 60_000;
/** Engine versions whose exchanges were recorded or read; another one may spell its flows differently. */
const TESTED = { major: 0, minorFrom: 83, minorTo: 85 };

type Token = { value: string; signedInAt: Date; expiresAt: Date; base: string | null };

const claimsShape = z.object({ exp: z.number() });
const anything = z.unknown();

/**
 * Our admin session with the engine: one sign-in shared by all callers, cached until ten minutes before the token ends.
 * A refused token (401, 403 SESSION_EXPIRED, or 403 without a code, which most routes give for a revoked session) is dropped and the call
 * repeated once. Never more: with its database away the engine answers 401 to every valid token, and a loop would only spend its sign-in limit
 * (engine API, §0.4, §14).
 */
export function createEngineSession(
  http: EngineHttp,
  account: EngineAccount | null,
  clock: Clock,
  baseUrl: () => string | null,
): EngineSession {
  let token: Token | undefined;
  let signingIn: Promise<Token> | undefined;
  let heldBack: { until: number; error: EngineError } | undefined;
  /** Until then a 403 without a code is taken as it is: a new session did not cure the last one. */
  let uncuredUntil = 0;

  const about = async (): Promise<EngineAbout> => {
    const flags = await http.json({ method: 'GET', path: '/flags', timeoutMs: SIGN_IN_TIMEOUT_MS }, flagsReplySchema);
    return { version: flags.CURRENT_VERSION, edition: flags.EDITION, tested: isTested(flags.CURRENT_VERSION) };
  };
  const signIn = async (): Promise<Token> => {
    if (account === null) {
      throw new EngineError(
        'not_configured',
        'No engine account is set (AUTOMATION_ENGINE_ADMIN_EMAIL, AUTOMATION_ENGINE_ADMIN_PASSWORD).',
      );
    }
    if (heldBack && heldBack.until > clock.now().getTime()) throw heldBack.error;
    refuseUntested(await about());
    const path = '/authentication/sign-in';
    const body = { email: account.email, password: account.password.reveal() };
    try {
      const answer = await http.json({ method: 'POST', path, body, isSecret: true, timeoutMs: SIGN_IN_TIMEOUT_MS }, signInReplySchema);
      if (answer.platformId === null) {
        throw new EngineError('refused', 'The engine’s initial setup is not finished: its admin has no platform yet.');
      }
      const signedInAt = clock.now();
      return { value: answer.token, signedInAt, expiresAt: expiryOf(answer.token, signedInAt), base: baseUrl() };
    } catch (error) {
      // 50 sign-ins a minute is the engine's limit: further attempts would prolong it.
      if (isEngineError(error) && error.retryAfterSeconds !== null) {
        heldBack = { until: clock.now().getTime() + error.retryAfterSeconds * 1000, error };
      }
      if (isEngineError(error, 'unauthorized') && error.status === 401) {
        throw new EngineError('wrong_password', `The engine does not accept the admin's e-mail and password. ${error.message}`, {
          status: error.status,
          code: error.code,
          cause: error,
        });
      }
      throw error;
    }
  };
  const currentToken = async (): Promise<Token> => {
    const fresh = token !== undefined && token.base === baseUrl() && token.expiresAt.getTime() - RENEW_BEFORE_MS > clock.now().getTime();
    if (token && fresh) return token;
    signingIn ??= signIn().finally(() => (signingIn = undefined));
    token = await signingIn;
    return token;
  };

  const forget = (): void => {
    token = undefined;
    uncuredUntil = 0;
  };
  /** Returns the error that explains a refused new session. */
  const explainRefused = async (error: unknown): Promise<unknown> => {
    if (!isRefusedToken(error) || (await http.healthy(HEALTH_TIMEOUT_MS))) return error;
    return new EngineError('unhealthy', 'The engine refuses every session because its database is unavailable.', { cause: error });
  };
  const refresh = async (since: Date): Promise<void> => {
    // The second of two concurrent requests finds the session that the first one began.
    if (!token || token.signedInAt < since) forget();
    const fresh = await currentToken();
    try {
      // An account without permission can log in too.
      await http.json({ method: 'GET', path: '/projects?limit=1', token: fresh.value, timeoutMs: SIGN_IN_TIMEOUT_MS }, anything);
    } catch (error) {
      if (isEngineError(error, 'unauthorized') && token === fresh) token = undefined;
      throw await explainRefused(error);
    }
  };

  const mayRenew = (error: unknown): boolean => isRefusedToken(error) || (isCodeless(error) && uncuredUntil <= clock.now().getTime());

  return {
    async call<T>(call: Call, shape: z.ZodType<T>): Promise<T> {
      const first = await currentToken();
      try {
        return await http.json({ ...call, token: first.value }, shape);
      } catch (error) {
        if (!mayRenew(error)) throw error;
        if (token === first) token = undefined;
      }
      const second = await currentToken();
      try {
        return await http.json({ ...call, token: second.value }, shape);
      } catch (error) {
        if (isCodeless(error)) uncuredUntil = clock.now().getTime() + UNCURED_MS;
        if (!isRefusedToken(error)) throw error;
        if (token === second) token = undefined;
        throw await explainRefused(error);
      }
    },
    about,
    forget,
    refresh,
    state: () => ({ signedInAt: token?.signedInAt ?? null, expiresAt: token?.expiresAt ?? null }),
  };
}

/** Refuses untested versions, before anything is written into an engine that may interpret it differently (engine API, §13). */
export function refuseUntested(about: EngineAbout): void {
  if (about.tested) return;
  throw new EngineError(
    'untested_version',
    `The engine is version ${about.version}; this release was tested with 0.${TESTED.minorFrom} to 0.${TESTED.minorTo}. Run one of those.`,
  );
}

function isTested(version: string): boolean {
  const [major, minor = -1] = version.split('.').map(Number);
  return major === TESTED.major && minor >= TESTED.minorFrom && minor <= TESTED.minorTo;
}

function isRefusedToken(error: unknown): boolean {
  if (!isEngineError(error, 'unauthorized')) return false;
  return error.status === 401 || error.code === 'SESSION_EXPIRED';
}

/** A 403 that does not say why: the engine hides the code of a revoked session on most routes (engine API, §14). */
function isCodeless(error: unknown): boolean {
  return isEngineError(error, 'unauthorized') && error.status === 403 && error.code === null;
}

/** Returns the `exp` of a token. A token that cannot be read is used for its first minutes only. */
function expiryOf(jwt: string, now: Date): Date {
  try {
    const payload: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
    return new Date(claimsShape.parse(payload).exp * 1000);
  } catch {
    return new Date(now.getTime() + RENEW_BEFORE_MS + 5 * 60_000);
  }
}

/** For calls of which only the status matters. */
export async function discardReply(session: EngineSession, call: Call): Promise<void> {
  await session.call(call, anything);
}
