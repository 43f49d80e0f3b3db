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
