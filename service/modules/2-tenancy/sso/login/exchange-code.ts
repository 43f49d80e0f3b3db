import { hashToken } from '#platform/one-time-token.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { findUserById, openSession, type OpenedSession, rememberSignIn } from '#modules/2-tenancy/identity/index.ts';
import { isSameBrowser } from './browser.ts';
import type { SsoDeps } from '../deps.ts';
import { bindProviderSession } from '../store-provider-sessions.ts';
import { markSsoLogin, takeCode } from './store-logins.ts';

/**
 * Exchanges a one-time code for a session: once, within a minute, in the browser that earned it. The provider is in charge of the second
 * step. Every invalid code gets the same response.
 */
async function exchangeCode(deps: SsoDeps, caller: Omit<RequestContext, 'actor'>, code: string): Promise<OpenedSession> {
  const codeHash = hashToken(code);
  // Taken in its own transaction, so that a refusal below does not restore the code.
  const taken = await deps.db.asSystem('login', (tx) => takeCode(tx, codeHash, caller.now));
  if (!taken || !isSameBrowser(caller.header('cookie'), taken.browserHash)) return refuse('invalid_credentials', { detail: NOT_VALID });
  return deps.db.asSystem('login', async (tx) => {
    const user = await findUserById(tx, taken.userId);
    if (!user || user.partnerId !== taken.partnerId || user.role !== 'PARTNER') return refuse('invalid_credentials', { detail: NOT_VALID });
    const opened = await openSession(deps, tx, caller, user, taken.authMethod, taken.sessionUntil);
    if (taken.providerSessionId !== null) await bindProviderSession(tx, taken.providerSessionId, opened);
    await markSsoLogin(tx, taken, caller.now);
    return opened;
  });
}

/** Exchanges a code, and returns also the headers by which the browser is known at the next login. */
export async function signInByCode(deps: SsoDeps, caller: Omit<RequestContext, 'actor'>, code: string) {
  const opened = await exchangeCode(deps, caller, code);
  return { opened, headers: rememberSignIn(deps, caller, opened) };
}

const NOT_VALID = 'This login was already used or took too long. Start again.';
