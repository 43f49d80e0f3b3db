import type { Access } from '../define-route.ts';

/** Common values of `access`. `write` refuses moderators and read-only sessions. */
export const isPublic: Access = { kind: 'public' };
export const byIngestToken: Access = { kind: 'ingest' };
export const byCallbackToken: Access = { kind: 'callback', subject: 'executionId', subjectIn: 'path' };
export const byCallbackTokenOfBody: Access = { kind: 'callback', subject: 'executionId', subjectIn: 'body' };

export const anyone: Access = { kind: 'session', roles: ['ADMIN', 'PARTNER', 'CLIENT'], write: false };
/** Works even while the account is suspended: profile and log-out. */
export const anyoneEvenSuspended: Access = { kind: 'session', roles: ['ADMIN', 'PARTNER', 'CLIENT'], write: false, whileSuspended: true };
export const staff: Access = { kind: 'session', roles: ['ADMIN'], write: false };
export const staffWrite: Access = { kind: 'session', roles: ['ADMIN'], write: true };
export const partner: Access = { kind: 'session', roles: ['PARTNER'], write: false };
export const partnerWrite: Access = { kind: 'session', roles: ['PARTNER'], write: true };
export const staffOrPartner: Access = { kind: 'session', roles: ['ADMIN', 'PARTNER'], write: false };
export const staffOrPartnerWrite: Access = { kind: 'session', roles: ['ADMIN', 'PARTNER'], write: true };
export const client: Access = { kind: 'session', roles: ['CLIENT'], write: false };
export const clientWrite: Access = { kind: 'session', roles: ['CLIENT'], write: true };
export const partnerOrClientWrite: Access = { kind: 'session', roles: ['PARTNER', 'CLIENT'], write: true };
export const anyoneWrite: Access = { kind: 'session', roles: ['ADMIN', 'PARTNER', 'CLIENT'], write: true };
