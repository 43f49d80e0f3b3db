import { LIMITS } from '@partner-portal/contract/vocabulary.ts';

/** Same pattern as on the server. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Adds the domains in a text (separated by commas or spaces, or as addresses) to the list. */
export function withDomains(domains: readonly string[], text: string): { domains: string[]; bad: string | undefined } {
  const words = text
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((word) => word.slice(word.lastIndexOf('@') + 1))
    .filter(Boolean);
  const bad = words.find((word) => !DOMAIN.test(word));
  return { domains: [...new Set([...domains, ...words.filter((word) => DOMAIN.test(word))])].slice(0, LIMITS.ssoDomainsMax), bad };
}
