import { addressOfHost } from '@partner-portal/core/tenancy/portal-host.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { NewMail } from './compose/kinds.ts';
import { findPortalHost } from './store.ts';

/**
 * Returns the base of links for the clients of an agency: its own domain while it is served, otherwise `baseUrl` (PUBLIC_BASE_URL). Without a
 * trailing slash.
 */
export async function portalBaseUrlOf(tx: Tx, baseUrl: string, partnerId: string): Promise<string> {
  return find(tx, baseUrl, partnerId, null);
}

/** Returns the base of a mail's links: that of the agency's clients when its reader is one, otherwise `baseUrl`. */
export async function baseUrlOfMail(tx: Tx, baseUrl: string, mail: NewMail): Promise<string> {
  if (mail.userId !== undefined) return find(tx, baseUrl, mail.partnerId, mail.userId);
  return isForClient(mail) ? find(tx, baseUrl, mail.partnerId, null) : baseUrl;
}

/** Whether a mail to an address without a user is for a client: an invitation of one, or a link to a page of clients. */
function isForClient({ data }: NewMail): boolean {
  if ('invitationKind' in data) return data.invitationKind === 'client_user';
  return 'href' in data && typeof data.href === 'string' && /^(?:https?:\/\/[^/]+)?\/client(?:[/?#]|$)/.test(data.href);
}

async function find(tx: Tx, baseUrl: string, partnerId: string, userId: string | null): Promise<string> {
  const host = await findPortalHost(tx, partnerId, userId);
  return host === null ? baseUrl : addressOfHost(baseUrl, host);
}
