import type { SsoProblem } from '@partner-portal/contract/vocabulary.ts';

const LAST = 'portal.sso-agency';
const SLUG = /^[a-z0-9-]{1,64}$/;

/** Returns the short name in lower case, or undefined when it is not a valid one. */
export function slugIn(text: string): string | undefined {
  const slug = text.trim().toLowerCase();
  return SLUG.test(slug) ? slug : undefined;
}

/** Returns the URL that starts a login through an agency's provider. It leaves the portal, so the router does not know it. */
export function ssoStart(slug: string, returnTo?: string): string {
  return `/sso/${slug}/start${returnTo ? `?returnTo=${encodeURIComponent(returnTo)}` : ''}`;
}

/** Returns the agency this device last logged in to with single sign-on, to prefill the form. */
export function lastAgency(): string | undefined {
  try {
    return slugIn(localStorage.getItem(LAST) ?? '');
  } catch {
    return undefined;
  }
}

export function rememberAgency(slug: string): void {
  try {
    localStorage.setItem(LAST, slug);
  } catch {
    // Without storage the user enters the name again next time.
  }
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
  answer_not_valid: { fix: 'Compare the values at your provider with those on the settings page, then run the test again.' },
  expired: { fix: 'A test login is valid for ten minutes and can be used once. Run it again.' },
  email_outside_domains: { fix: 'Choose your work account at the provider, or change the connection and add the domain.' },
  no_member: { fix: 'Choose the account you were invited with, or invite this address under Settings › Team.' },
  user_disabled: { fix: 'Ask another admin of your agency.' },
};

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
  answer_not_valid: () => ({
    title: 'The response of your provider is not valid.',
    fix: 'It belongs to another login, or was opened in another browser. Try again in this browser. If it happens again, ask an admin of your agency to run a test login.',
  }),
  too_busy: () => ({
    title: 'Too many logins are being checked right now.',
    fix: 'Try again in a minute.',
  }),
  expired: () => ({
    title: 'This login took too long, or was already used.',
    fix: 'Each login is valid for ten minutes and can be used once. Try again.',
  }),
  email_not_verified: (email) => ({
    title: email ? `Your provider sent ${email} as not verified.` : 'Your provider did not send an e-mail address.',
    fix: email
      ? 'Confirm the address at your provider, or have it send “email_verified”, then try again.'
      : 'The provider must send the e-mail address of the user. Ask the person who manages it.',
  }),
  email_outside_domains: (email) => ({
    title: `${email ?? 'Your address'} is outside your agency’s domains.`,
    fix: 'Choose your work account at the provider, or ask an admin of your agency to add the domain under Settings › SSO.',
  }),
  no_member: (email) => ({
    title: email ? `Your provider says you are ${email}; no member has that address.` : 'No member has the address your provider sent.',
    fix: 'Choose the account you were invited with, or ask an admin of your agency to invite this address.',
  }),
  user_disabled: () => ({
    title: 'Your user is disabled.',
    fix: 'Ask an admin of your agency.',
  }),
};
