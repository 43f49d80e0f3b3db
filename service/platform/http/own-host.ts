import type { Actor } from '../actor.ts';

/** A host name that belongs to one tenant: only its clients may log in there, and its pages carry its name and look. */
export type OwnHost = {
  host: string;
  /** Without a trailing slash. */
  baseUrl: string;
  partnerId: string;
  name: string;
  /** A path of the service. */
  logoUrl: string | null;
  logoAlt: string | null;
  brandColor: string | null;
  /** Paths of the service by which a browser installs the tenant's portal. */
  manifestUrl: string;
  touchIconUrl: string;
};

/** Returns whose the host of a request is, from the value of its Host header; null for every host that is no one's. */
export type FindOwnHost = (host: string) => OwnHost | null | Promise<OwnHost | null>;

/** Whether a user may log in and work on this host: anyone on the service's own, the tenant's clients on that of a tenant. */
export function isAtHome(host: OwnHost | null | undefined, user: Pick<Actor, 'role' | 'partnerId'>): boolean {
  return !host || (user.role === 'CLIENT' && user.partnerId === host.partnerId);
}
