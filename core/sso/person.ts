import { normalizeEmail } from '@partner-portal/contract/email-address.ts';

/** A provider's statements about a person: each attribute or claim with its values, and the SAML name id. */
export type Named = { attributes: Readonly<Record<string, readonly string[]>>; nameId: string | null };

/** Names under which providers send an address, in lower case, the usual first. */
const EMAIL_NAMES = [
  'email',
  'mail',
  'emailaddress',
  'user.email',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'urn:oid:1.2.840.113549.1.9.1',
  'urn:mace:dir:attribute-def:mail',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/emailaddress',
];

/**
 * Returns the address of a person: the first inside `domains` among those sent under a usual name; outside the domains the first one, since the
 * refusal names it. Only when there is none does the name id count, if it is an address in any format: at some providers it is a user name that
 * people choose. Null when none was sent.
 */
export function emailOf({ attributes, nameId }: Named, domains: readonly string[]): string | null {
  const found = addressesIn(attributes);
  return found.find((one) => isInside(one, domains)) ?? found[0] ?? (nameId === null ? null : normalizeEmail(nameId));
}

/** Returns each address of a person inside `domains` that was sent under a usual name, once. */
export function emailsInside({ attributes }: Pick<Named, 'attributes'>, domains: readonly string[]): string[] {
  return [...new Set(addressesIn(attributes).filter((one) => isInside(one, domains)))];
}

/**
 * Returns which of the addresses of a person names the member: the only one that is a member's, else the first. `first`: see `emailOf`;
 * `members`: those of `candidates` that are a member's.
 */
export function chooseAddress(first: string, candidates: readonly string[], members: readonly string[]): string {
  const known = candidates.filter((one) => members.includes(one));
  return known.length === 1 ? (known[0] ?? first) : first;
}

function addressesIn(attributes: Named['attributes']): string[] {
  return valuesOf(attributes, EMAIL_NAMES)
    .map(normalizeEmail)
    .filter((one) => one !== null);
}

/** Returns whether a normalized address is in one of these domains. */
export function isInside(email: string, domains: readonly string[]): boolean {
  return domains.includes(email.slice(email.lastIndexOf('@') + 1));
}

function valuesOf(attributes: Named['attributes'], names: readonly string[]): string[] {
  const byName = Map.groupBy(Object.entries(attributes), ([name]) => name.trim().toLowerCase());
  return names.flatMap((name) => (byName.get(name) ?? []).flatMap(([, values]) => values));
}
