import type { Access, SessionAccess } from '../define-route.ts';

/** Common values of `access`. `write` refuses moderators. */
export const isPublic: Access = { kind: 'public' };
export const byIngestToken: Access = { kind: 'ingest' };
export const byCallbackToken: Access = { kind: 'callback', subject: 'executionId', subjectIn: 'path' };
export const byCallbackTokenOfBody: Access = { kind: 'callback', subject: 'executionId', subjectIn: 'body' };

export const anyone: SessionAccess = { kind: 'session', roles: ['ADMIN', 'PARTNER', 'CLIENT'], write: false };
/** Works even while the account is suspended: profile and log-out. */
export const anyoneEvenSuspended: SessionAccess = {
  kind: 'session',
  roles: ['ADMIN', 'PARTNER', 'CLIENT'],
  write: false,
  whileSuspended: true,
};
export const staff: SessionAccess = { kind: 'session', roles: ['ADMIN'], write: false };
export const staffWrite: SessionAccess = { kind: 'session', roles: ['ADMIN'], write: true };
export const partner: SessionAccess = { kind: 'session', roles: ['PARTNER'], write: false };
export const partnerWrite: SessionAccess = { kind: 'session', roles: ['PARTNER'], write: true };
export const staffOrPartner: SessionAccess = { kind: 'session', roles: ['ADMIN', 'PARTNER'], write: false };
export const staffOrPartnerWrite: SessionAccess = { kind: 'session', roles: ['ADMIN', 'PARTNER'], write: true };
export const client: SessionAccess = { kind: 'session', roles: ['CLIENT'], write: false };
export const clientWrite: SessionAccess = { kind: 'session', roles: ['CLIENT'], write: true };
export const partnerOrClientWrite: SessionAccess = { kind: 'session', roles: ['PARTNER', 'CLIENT'], write: true };
export const anyoneWrite: SessionAccess = { kind: 'session', roles: ['ADMIN', 'PARTNER', 'CLIENT'], write: true };
