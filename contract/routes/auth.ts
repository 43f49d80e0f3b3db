import { z } from 'zod';
import { defineRoute } from '../define-route.ts';
import { email, nothing, optionalText, text, time, timezone } from '../primitives.ts';
import { features, sessionPartner, sessionUser } from '../records.ts';
import { THEMES } from '../vocabulary.ts';
import { anyoneEvenSuspended, isPublic } from './access.ts';

const session = z.object({ accessToken: z.string(), expiresAt: time, user: sessionUser });
const challenge = z.object({ mfaRequired: z.literal(true), tempToken: z.string() });

export const authRoutes = {
  login: defineRoute({
    method: 'POST',
    path: '/auth/login',
    tag: 'auth',
    summary: 'Sign in with e-mail and password',
    access: isPublic,
    limit: 'caller',
    body: z.object({ email, password: z.string().min(1).max(256) }),
    reply: { 200: z.union([session, challenge]) },
    errors: ['invalid_credentials', 'user_disabled', 'sso_required', 'rate_limited', 'validation_failed'],
    audit: 'session.signed_in',
  }),
  getMe: defineRoute({
    method: 'GET',
    path: '/auth/me',
    tag: 'auth',
    summary: 'Who is signed in, and what they may do',
    access: anyoneEvenSuspended,
    limit: 'caller',
    reply: {
      200: z.object({
        user: sessionUser,
        partner: sessionPartner,
        client: z.object({ id: z.uuid(), name: z.string() }).nullable(),
        permissions: z.array(z.string()),
        features,
        admins: z.array(z.string()),
        sandbox: z.boolean(),
      }),
    },
    errors: [],
  }),
  updateMe: defineRoute({
    method: 'PATCH',
    path: '/auth/me',
    tag: 'auth',
    summary: 'Change the own profile',
    access: anyoneEvenSuspended,
    limit: 'caller',
    body: z.object({
      fullName: text(120).optional(),
      locale: optionalText(16).optional(),
      timezone: timezone.optional(),
      theme: z.enum(THEMES).optional(),
    }),
    reply: { 200: sessionUser },
    errors: ['validation_failed', 'stale_record'],
    audit: 'user.profile_changed',
  }),
  logout: defineRoute({
    method: 'POST',
    path: '/auth/logout',
    tag: 'auth',
    summary: 'End this session',
    access: anyoneEvenSuspended,
    limit: 'caller',
    reply: { 204: nothing },
    errors: [],
    audit: 'session.signed_out',
  }),
  logoutAll: defineRoute({
    method: 'POST',
    path: '/auth/logout-all',
    tag: 'auth',
    summary: 'End every session of this user',
    access: anyoneEvenSuspended,
    limit: 'caller',
    reply: { 204: nothing },
    errors: [],
    audit: 'session.signed_out_everywhere',
  }),
};
