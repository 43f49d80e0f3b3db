import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { email, id, idParams, optionalText, page, pageQuery, queryFlag, time } from '../primitives.ts';
import { ALERT_RULES, ALERT_SEVERITIES, ALERT_STATUSES, ALERT_SUBJECTS, LIMITS, PARTNER_ROLES } from '../vocabulary.ts';
import { partner, partnerWrite, staffOrPartner, staffOrPartnerWrite } from './access.ts';

const tag = 'alerts';

/** A problem that needs attention. It opens and resolves automatically. */
export const alertRecord = z
  .object({
    id,
    partnerId: id,
    partnerName: z.string(),
    clientId: id.nullable(),
    clientName: z.string().nullable(),
    rule: z.enum(ALERT_RULES),
    severity: z.enum(ALERT_SEVERITIES),
    status: z.enum(ALERT_STATUSES),
    subject: z.object({ type: z.enum(ALERT_SUBJECTS), id: z.string(), label: z.string() }),
    message: z.string(),
    /** The portal page where the partner can fix it. */
    href: z.string(),
    openedAt: time,
    acknowledgedAt: time.nullable(),
    acknowledgedByName: z.string().nullable(),
    resolvedAt: time.nullable(),
    /** Null while open, and when it resolved automatically. */
    resolvedByName: z.string().nullable(),
    note: z.string().nullable(),
    /** True while it is `resolved` by a person and its condition still holds: it is muted, and resolves when the condition has cleared. */
    muted: z.boolean(),
  })
  .meta({ id: 'Alert' });

const filters = {
  status: z.enum(ALERT_STATUSES).optional(),
  /** True: open and acknowledged; false: resolved. */
  open: queryFlag.optional(),
  /** True: resolved by a person while the condition holds; false: all others. */
  muted: queryFlag.optional(),
  rule: z.enum(ALERT_RULES).optional(),
  severity: z.enum(ALERT_SEVERITIES).optional(),
  clientId: id.optional(),
  partnerId: id.optional(),
};
const note = z.object({ note: optionalText(2000).optional() }).optional();

const usageThresholds = z
  .array(z.number().int().min(1).max(100))
  .min(1)
  .max(10)
  .transform((values) => [...new Set(values)].sort((a, b) => a - b));
/** Recipients of alert mail: addresses of the partner's members. Empty: all admins. */
const alertRules = z
  .object({
    usageThresholds: z.array(z.number().int()),
    failureStreak: z.number().int(),
    silentDays: z.number().int(),
    recipients: z.array(z.string()),
    /** Possible recipients. */
    team: z.array(z.object({ email: z.string(), fullName: z.string(), partnerRole: z.enum(PARTNER_ROLES) })),
  })
  .meta({ id: 'AlertRules' });

const listAlerts = defineRoute({
  method: 'GET',
  path: '/alerts',
  tag,
  summary: 'List alerts in scope, newest first',
  access: staffOrPartner,
  query: pageQuery.extend(filters),
  reply: { 200: page(alertRecord) },
  errors: ['invalid_cursor', 'invalid_query', 'scope_forbidden', 'not_found'],
});

export const alertRoutes = {
  listAlerts,
  exportAlerts: csvOf(listAlerts),
  getAlertRules: defineRoute({
    method: 'GET',
    path: '/alerts/rules',
    tag,
    summary: 'Get the alert rules: when alerts open, and who is mailed',
    access: partner,
    reply: { 200: alertRules },
    errors: [],
  }),
  putAlertRules: defineRoute({
    method: 'PUT',
    path: '/alerts/rules',
    tag,
    summary: 'Change when alerts open, and who is mailed',
    access: partnerWrite,
    body: z.object({
      usageThresholds,
      failureStreak: z.number().int().min(1).max(LIMITS.alertStreakMax),
      silentDays: z.number().int().min(1).max(LIMITS.alertSilentDaysMax),
      recipients: z.array(email).max(50).default([]),
    }),
    reply: { 200: alertRules },
    errors: ['validation_failed'],
    audit: 'alert_rules.changed',
  }),
  acknowledgeAlert: defineRoute({
    method: 'POST',
    path: '/alerts/:id/acknowledge',
    tag,
    summary: 'Acknowledge an alert',
    access: staffOrPartnerWrite,
    params: idParams,
    body: note,
    reply: { 200: alertRecord },
    errors: ['not_found', 'invalid_state', 'validation_failed'],
    audit: 'alert.acknowledged',
  }),
  resolveAlert: defineRoute({
    method: 'POST',
    path: '/alerts/:id/resolve',
    tag,
    summary: 'Mute an alert until its condition has cleared: it is resolved then, and opens again when the problem comes back',
    access: staffOrPartnerWrite,
    params: idParams,
    body: note,
    reply: { 200: alertRecord },
    errors: ['not_found', 'invalid_state', 'validation_failed'],
    audit: 'alert.resolved',
  }),
};
