import { z } from 'zod';
import { defineRoute, type SessionAccess } from '../define-route.ts';
import { csvText, id, idParams, pdfDocument } from '../primitives.ts';
import { clientReport, hoursEstimate, reportMonth, reportPreview, reportRecipient, reportSent, resultValues } from '../records/report.ts';
import { oneClick, unsubscribePage } from '../unsubscribe.ts';
import { LIMITS, LOCALES } from '../vocabulary.ts';
import { anyone, partner, partnerWrite } from './access.ts';

const tag = 'clients';

/** Moderators and clients change what they get themselves; what is others' is refused by the handler. */
const partnerOrClient: SessionAccess = { kind: 'session', roles: ['PARTNER', 'CLIENT'], write: false };

const ofMonth = z.object({
  /** Left out: the newest month that has ended in the client's time zone. */
  month: reportMonth.optional(),
  /** Language of phrases and texts. Left out: that of the reader; in documents that of the client. */
  locale: z.enum(LOCALES).optional(),
});

export const reportRoutes = {
  getClientReport: defineRoute({
    method: 'GET',
    path: '/clients/:id/report',
    tag,
    summary: 'Get what the agents of a client did in a month; a client reads its own',
    access: anyone,
    params: idParams,
    query: ofMonth,
    reply: { 200: clientReport },
    errors: ['not_found', 'invalid_query', 'validation_failed'],
  }),
  exportClientReport: defineRoute({
    method: 'GET',
    path: '/clients/:id/report.csv',
    tag,
    summary: 'Export the report as CSV',
    access: anyone,
    params: idParams,
    query: ofMonth,
    format: 'csv',
    reply: { 200: csvText },
    errors: ['not_found', 'invalid_query', 'validation_failed'],
  }),
  printClientReport: defineRoute({
    method: 'GET',
    path: '/clients/:id/report.pdf',
    tag,
    summary: 'Export the report as a PDF, for print; A4 or Letter by where the client is unless one is named',
    access: anyone,
    params: idParams,
    query: ofMonth.extend({ paper: z.enum(['A4', 'Letter']).optional() }),
    format: 'pdf',
    reply: { 200: pdfDocument },
    errors: ['not_found', 'invalid_query', 'validation_failed', 'service_unavailable'],
  }),
  previewReportMail: defineRoute({
    method: 'GET',
    path: '/clients/:id/report/preview',
    tag,
    summary: 'Get the mail that would be sent about a month; in the language of the client unless one is named',
    access: partner,
    params: idParams,
    query: ofMonth,
    reply: { 200: reportPreview },
    errors: ['not_found', 'invalid_query', 'validation_failed', 'invalid_state'],
  }),
  sendClientReport: defineRoute({
    method: 'POST',
    path: '/clients/:id/report/send',
    tag,
    summary: 'Mail the report of a finished month now: to those who are subscribed, to the caller, or to people by name',
    access: partnerWrite,
    params: idParams,
    body: z
      .object({
        month: reportMonth,
        /** People who unsubscribed themselves are left out. */
        userIds: z.array(id).min(1).max(LIMITS.reportsPerSendMax).optional(),
        to: z.enum(['subscribed', 'me']).optional(),
      })
      .refine((body) => (body.userIds === undefined) !== (body.to === undefined), 'Send either userIds or to.')
      .meta({ examples: [{ month: '2026-10', to: 'me' }] }),
    reply: { 200: reportSent },
    errors: ['not_found', 'validation_failed', 'invalid_state', 'rate_limited'],
    audit: 'report.sent',
    idempotent: true,
  }),
  listReportRecipients: defineRoute({
    method: 'GET',
    path: '/clients/:id/report/recipients',
    tag,
    summary: 'List who may get the report by mail, and who does; a client user sees only themselves',
    access: anyone,
    params: idParams,
    reply: { 200: z.array(reportRecipient) },
    errors: ['not_found'],
  }),
  putReportRecipient: defineRoute({
    method: 'PUT',
    path: '/clients/:id/report/recipients/:userId',
    tag,
    summary: 'Subscribe or unsubscribe a person: admins anyone in their agency, everyone else themselves',
    access: partnerOrClient,
    params: z.object({ id, userId: id }),
    body: z.object({ isSubscribed: z.boolean() }),
    reply: { 200: reportRecipient },
    errors: ['not_found', 'validation_failed', 'invalid_state', 'partner_role_forbidden', 'view_as_read_only'],
    audit: 'report.recipient_changed',
  }),
  showReportUnsubscribe: defineRoute({ ...unsubscribePage, path: '/reports/unsubscribe', tag }),
  unsubscribeReport: defineRoute({
    ...oneClick,
    path: '/reports/unsubscribe',
    tag,
    summary: 'End the mailed report that carried the link, without a login; mail programs post List-Unsubscribe=One-Click (RFC 8058)',
    audit: 'report.recipient_changed',
  }),
  listHoursEstimates: defineRoute({
    method: 'GET',
    path: '/partners/me/hours-estimates',
    tag,
    summary: 'Get what one run of each agent is thought to save',
    access: partner,
    reply: { 200: z.array(hoursEstimate) },
    errors: [],
  }),
  putHoursEstimate: defineRoute({
    method: 'PUT',
    path: '/partners/me/hours-estimates/:templateName',
    tag,
    summary: 'Set the agency’s own estimate; null returns to the catalog’s',
    access: partnerWrite,
    params: z.object({ templateName: z.string().max(80) }),
    body: z.object({ hours: z.number().min(0).max(LIMITS.hoursPerRunMax).multipleOf(0.01).nullable() }),
    reply: { 200: hoursEstimate },
    errors: ['not_found', 'validation_failed'],
    audit: 'report.hours_changed',
  }),
  getResultValues: defineRoute({
    method: 'GET',
    path: '/partners/me/result-values',
    tag,
    summary: 'Get what one result of each agent is thought to be worth',
    access: partner,
    reply: { 200: resultValues },
    errors: [],
  }),
  putResultValues: defineRoute({
    method: 'PUT',
    path: '/partners/me/result-values',
    tag,
    summary: 'Set what results are thought to be worth, all at once; reports show no amounts without any',
    access: partnerWrite,
    body: z
      .object({
        currency: z.string().regex(/^[A-Z]{3}$/, 'Use a currency code such as USD.'),
        values: z
          .array(z.object({ templateName: z.string().max(80), valueMinor: z.number().int().min(1).max(LIMITS.resultValueMinorMax) }))
          .max(100),
      })
      .meta({ examples: [{ currency: 'USD', values: [{ templateName: 'missed-call-text-back', valueMinor: 4500 }] }] }),
    reply: { 200: resultValues },
    errors: ['validation_failed'],
    audit: 'report.values_changed',
  }),
};
