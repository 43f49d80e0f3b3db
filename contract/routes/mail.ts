import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { id, idParams, page, pageQuery } from '../primitives.ts';
import { mailDetailRecord, mailRecord } from '../records/mail.ts';
import { LIMITS, MAIL_KINDS, MAIL_STATUSES } from '../vocabulary.ts';
import { staff, staffWrite } from './access.ts';

const filters = {
  kind: z.enum(MAIL_KINDS).optional(),
  status: z.enum(MAIL_STATUSES).optional(),
  partnerId: id.optional(),
};

const listMail = defineRoute({
  method: 'GET',
  path: '/provisioning/mail',
  tag: 'provisioning',
  summary: 'List the mail that the service sent or would have sent, newest first',
  access: staff,
  query: pageQuery.extend(filters),
  reply: { 200: page(mailRecord) },
  errors: ['not_found', 'invalid_cursor', 'invalid_query'],
});

/** The service's own mail, for staff. */
export const mailRoutes = {
  listMail,
  exportMail: csvOf(listMail),
  getMail: defineRoute({
    method: 'GET',
    path: '/provisioning/mail/:id',
    tag: 'provisioning',
    summary: `Get a mail; its text and links, which need a login of the last ${LIMITS.recentLoginMinutes} minutes, only while no mail transport is configured. Each look is audited`,
    access: staff,
    params: idParams,
    reply: { 200: mailDetailRecord },
    errors: ['not_found', 'reauthentication_required'],
    audit: 'mail.read',
  }),
  retryMail: defineRoute({
    method: 'POST',
    path: '/provisioning/mail/:id/retry',
    tag: 'provisioning',
    summary: 'Send a mail that failed once more, or one that waits',
    access: staffWrite,
    params: idParams,
    reply: { 200: mailRecord },
    errors: ['not_found', 'invalid_state', 'mail_unavailable'],
    audit: 'mail.retried',
  }),
};
