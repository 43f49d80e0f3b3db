import type { SsoProblem } from '@partner-portal/contract/vocabulary.ts';

/** Whether this is a problem of a login that `explainSso` knows. */
export function isSsoProblem(problem: string | null): problem is SsoProblem {
  return problem !== null && Object.hasOwn(PROBLEMS, problem);
}

/** Returns why a login through a provider failed and how to fix it. `email` is the address the provider sent. */
export function explainSso(problem: SsoProblem, email?: string): { title: string; fix: string } {
  return PROBLEMS[problem](email);
}

/** Like `explainSso`, for a test login: an admin runs it and can fix the problem without asking anyone. */
export function explainTest(problem: SsoProblem, email?: string): { title: string; fix: string } {
  return { ...explainSso(problem, email), ...TEST_FIXES[problem] };
}

const TEST_FIXES: Partial<Record<SsoProblem, { fix: string }>> = {
  provider_refused: { fix: 'You may have to be assigned to this application at the provider first. Then run the test again.' },
  provider_unreachable: { fix: 'Run the test again in a minute.' },
  client_refused: {
    fix: 'Compare client ID and client secret with those at your provider. The client there has to prove itself by client_secret_basic or client_secret_post.',
  },
  client_method_refused: {
    fix: 'Allow client_secret_basic or client_secret_post for this client at your provider. The secret itself may be right.',
  },
  answer_not_valid: { fix: 'Compare the values at your provider with those on the settings page, then run the test again.' },
  answer_not_readable: { fix: 'Check that your provider sends to the address on the settings page, then run the test again.' },
  clock_differs: { fix: 'Set the clock of your provider. Up to five minutes of difference are fine.' },
  key_unknown: {
    fix: 'Choose “Read again now” on the settings page. If it happens again, your provider signs with a key it does not publish.',
  },
  not_signed: { fix: 'Have your provider sign the response or the assertion, or the ID token.' },
  algorithm_not_accepted: { fix: 'Choose RSA or ECDSA with SHA-256 at your provider.' },
  not_decrypted: { fix: 'Import our metadata at your provider again, or switch encryption off there.' },
  expired: { fix: 'A test login is valid for ten minutes and can be used once. Run it again.' },
  email_missing: { fix: 'Have it send the address as the attribute or claim “email”. What it sent is on the settings page.' },
  email_not_verified: {
    fix: 'Have it send “email_verified”, or change the connection: your agency can vouch for the addresses of its provider.',
  },
  email_outside_domains: { fix: 'Choose your work account at the provider, or change the connection and add the domain.' },
  no_member: {
    fix: 'Invite this address under Settings › Team. A test does not accept an invitation: the person must log in once, and cannot if the address has an account elsewhere.',
  },
};

/** Members cannot change the provider or the connection. */
const ASK_ADMIN = 'Ask an admin of your agency to run a test login, which says what to change.';

const PROBLEMS: Record<SsoProblem, (email: string | undefined) => { title: string; fix: string }> = {
  not_available: () => ({
    title: 'Single sign-on is not available here.',
    fix: 'No agency has this name, or its connection is not ready yet. Check the name, or log in with your password.',
  }),
  provider_refused: () => ({
    title: 'Your provider refused the login.',
    fix: 'You may have to be assigned to this application first. Ask the person who manages the provider, then try again.',
  }),
  provider_unreachable: () => ({
    title: 'Your provider did not respond.',
    fix: 'Try again in a minute. If it happens again, contact an admin of your agency.',
  }),
  client_refused: () => ({ title: 'Your provider did not accept the portal as its client.', fix: ASK_ADMIN }),
  client_method_refused: () => ({ title: 'Your provider takes no client secret from the portal.', fix: ASK_ADMIN }),
  answer_not_valid: () => ({
    title: 'Your provider’s response does not match this login.',
    fix: `It may belong to another login or browser: try again in this browser. If it happens again: ${ASK_ADMIN.toLowerCase()}`,
  }),
  answer_not_readable: () => ({
    title: 'We could not read your provider’s response.',
    fix: `Try again. If it happens again: ${ASK_ADMIN.toLowerCase()}`,
  }),
  clock_differs: () => ({ title: 'Your provider’s clock differs from ours.', fix: ASK_ADMIN }),
  key_unknown: () => ({
    title: 'Your provider signed with a key we do not know yet.',
    fix: `Try again in a minute. If it happens again: ${ASK_ADMIN.toLowerCase()}`,
  }),
  not_signed: () => ({ title: 'The response of your provider is not signed.', fix: ASK_ADMIN }),
  algorithm_not_accepted: () => ({ title: 'Your provider uses a signature algorithm we do not accept.', fix: ASK_ADMIN }),
  not_decrypted: () => ({ title: 'We could not decrypt your provider’s response.', fix: ASK_ADMIN }),
  too_busy: () => ({
    title: 'Too many logins are being checked right now.',
    fix: 'Try again in a minute.',
  }),
  rate_limited: () => ({
    title: 'Too many logins came from your network.',
    fix: 'Wait a minute, then try again.',
  }),
  service_unavailable: () => ({
    title: 'We could not finish this login.',
    fix: 'Try again in a minute. If it happens again, contact support.',
  }),
  expired: () => ({
    title: 'This login took too long, or was already used.',
    fix: 'Each login is valid for ten minutes and can be used once. Try again.',
  }),
  tile_loop: () => ({
    title: 'Your provider sent you here without answering our request.',
    fix: 'Start at the login of your agency instead of the tile. If that fails too, ask an admin of your agency.',
  }),
  logout_refused: () => ({
    title: 'We did not accept the request of your provider to log you out.',
    fix: 'You may still be logged in here: open the portal and log out there. If it happens again, ask an admin of your agency.',
  }),
  email_missing: () => ({ title: 'Your provider did not send an e-mail address.', fix: ASK_ADMIN }),
  email_not_verified: (email) => ({
    title: email ? `Your provider does not say that ${email} is verified.` : 'Your provider does not say that your address is verified.',
    fix: `Confirm the address at your provider and try again. If it is confirmed: ${ASK_ADMIN.toLowerCase()}`,
  }),
  email_outside_domains: (email) => ({
    title: `${email ?? 'Your address'} is outside your agency’s domains.`,
    fix: 'Choose your work account at the provider, or ask an admin of your agency to add the domain under Settings › SSO.',
  }),
  no_member: (email) => ({
    title: email ? `Your provider says you are ${email}; no member has that address.` : 'No member has the address your provider sent.',
    fix: 'Choose the account you were invited with, or ask an admin of your agency to invite this address.',
  }),
  account_elsewhere: (email) => ({
    title: `${email ?? 'Your address'} already has an account elsewhere.`,
    fix: 'One address is one account, so it cannot join this team. Ask an admin of your agency to invite a different address of yours.',
  }),
  user_disabled: () => ({
    title: 'Your user is disabled.',
    fix: 'Only support can enable it again. Contact support, or ask an admin of your agency to do so.',
  }),
};
