const MAX = 20;
/** The same shape the server asks for. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** The domains of a text with commas, spaces or an address in it, beside those there are. */
export function withDomains(domains: readonly string[], text: string): { domains: string[]; bad: string | undefined } {
  const words = text
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((word) => word.slice(word.lastIndexOf('@') + 1))
    .filter(Boolean);
  const bad = words.find((word) => !DOMAIN.test(word));
  return { domains: [...new Set([...domains, ...words.filter((word) => DOMAIN.test(word))])].slice(0, MAX), bad };
}
