import type { SsoProblem } from '@partner-portal/contract/vocabulary.ts';

const LAST = 'portal.sso-agency';
const SLUG = /^[a-z0-9-]{1,64}$/;

/** The short name as the address takes it; undefined for what cannot be one. */
export function slugIn(text: string): string | undefined {
  const slug = text.trim().toLowerCase();
  return SLUG.test(slug) ? slug : undefined;
}

/** Where a login through an agency's provider begins. It leaves the portal, so it is no page of the router. */
export function ssoStart(slug: string, returnTo?: string): string {
  return `/sso/${slug}/start${returnTo ? `?returnTo=${encodeURIComponent(returnTo)}` : ''}`;
}

/** The agency this device last signed in to through its provider, so that a second try need not ask again. */
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
    // The next time it is asked again.
  }
}

/** Why a login through a provider ended without a session: what happened, and what to do about it. `email` is whom the provider named. */
export function explainSso(problem: SsoProblem, email?: string): { title: string; fix: string } {
  return PROBLEMS[problem](email);
}

/** The same of a test login, which an admin runs: what others are told to ask for is theirs to do. */
export function explainTest(problem: SsoProblem, email?: string): { title: string; fix: string } {
  return { ...explainSso(problem, email), ...TEST_FIXES[problem] };
}

const TEST_FIXES: Partial<Record<SsoProblem, { fix: string }>> = {
  provider_refused: { fix: 'It may have to assign you to this application first. Then run the test again.' },
  provider_unreachable: { fix: 'Run the test again in a minute.' },
  answer_not_valid: { fix: 'Compare the values at your provider with those on the settings page, then run the test again.' },
  expired: { fix: 'A test login lasts ten minutes and counts once. Run it again.' },
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
    title: 'Your provider did not let you in.',
    fix: 'It may have to assign you to this application first. Ask whoever looks after the provider, then start again.',
  }),
  provider_unreachable: () => ({
    title: 'Your provider did not answer.',
    fix: 'Start again in a minute. If it stays, tell an admin of your agency.',
  }),
  answer_not_valid: () => ({
    title: 'The answer of your provider cannot be trusted.',
    fix: 'It was meant for another sign-in, or came to another browser than the one that asked. Start again in this browser. If it stays, an admin of your agency runs a test login.',
  }),
  expired: () => ({
    title: 'This sign-in took too long, or was already used.',
    fix: 'Each one lasts ten minutes and counts once. Start again.',
  }),
  email_not_verified: (email) => ({
    title: email ? `Your provider names ${email}, but does not vouch for it.` : 'Your provider did not name an e-mail address.',
    fix: email
      ? 'Confirm the address at your provider, or have it send “email_verified”, then start again.'
      : 'The provider has to send the e-mail address of the person. Ask whoever looks after it.',
  }),
  email_outside_domains: (email) => ({
    title: `${email ?? 'Your address'} is outside your agency’s domains.`,
    fix: 'Choose your work account at the provider. Or an admin of your agency adds the domain under Settings › SSO.',
  }),
  no_member: (email) => ({
    title: email ? `Your provider says you are ${email}; no member has that address.` : 'No member has the address your provider names.',
    fix: 'Choose the account you were invited with, or ask an admin of your agency to invite this address.',
  }),
  user_disabled: () => ({
    title: 'Your user is switched off.',
    fix: 'Ask an admin of your agency.',
  }),
};
