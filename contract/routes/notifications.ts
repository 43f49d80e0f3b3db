import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { csvText, id, idParams, nothing, page, pageQuery, queryFlag, time } from '../primitives.ts';
import { oneClick, unsubscribePage } from '../unsubscribe.ts';
import { EMAIL_PACES, NOTIFICATION_TONES, NOTIFICATION_TYPES, type NotificationType } from '../vocabulary.ts';
import { anyone } from './access.ts';

const tag = 'notifications';
const filters = { unread: queryFlag.optional() };

/** An item in one user's notification list. */
export const notificationRecord = z
  .object({
    id,
    userId: id,
    type: z.enum(NOTIFICATION_TYPES),
    tone: z.enum(NOTIFICATION_TONES),
    title: z.string(),
    body: z.string(),
    /** A page of the recipient's portal. */
    href: z.string(),
    /** Groups notifications about the same subject. */
    subject: z.string(),
    readAt: time.nullable(),
    createdAt: time,
  })
  .meta({ id: 'Notification' });

/** A user's choice per notification type that can reach them. */
const preference = z.object({ inApp: z.boolean(), email: z.enum(EMAIL_PACES) });
const preferences = z
  .partialRecord(
    z.enum(NOTIFICATION_TYPES),
    /** `emailFixed`: mails of this type cannot be switched off. */
    preference.extend({ emailFixed: z.boolean() }),
  )
  .meta({ id: 'NotificationPreferences' });
/** An object, not a record, so that unknown members of the body are ignored. */
const choices = z.object(
  Object.fromEntries(NOTIFICATION_TYPES.map((type) => [type, preference.optional()])) as Record<
    NotificationType,
    z.ZodOptional<typeof preference>
  >, // the keys are those of the list
);

// These routes change only the caller's own data, so moderators may use them.
const listNotifications = defineRoute({
  method: 'GET',
  path: '/notifications',
  tag,
  summary: 'Get the caller’s own notifications, newest first',
  access: anyone,
  query: pageQuery.extend(filters),
  reply: { 200: page(notificationRecord) },
  errors: ['invalid_cursor', 'invalid_query'],
});

export const notificationRoutes = {
  listNotifications,
  exportNotifications: csvOf(listNotifications, 'Export the caller’s own notifications as CSV, streamed'),
  countUnread: defineRoute({
    method: 'GET',
    path: '/notifications/unread-count',
    tag,
    summary: 'Count unread notifications',
    access: anyone,
    reply: { 200: z.object({ unread: z.number().int() }) },
    errors: [],
  }),
  streamNotifications: defineRoute({
    method: 'GET',
    path: '/notifications/stream',
    tag,
    summary: 'Stream new notifications and the unread count',
    access: anyone,
    format: 'events',
    reply: { 200: csvText },
    errors: [],
  }),
  getNotificationPreferences: defineRoute({
    method: 'GET',
    path: '/notifications/preferences',
    tag,
    summary: 'Get the notification settings of the caller',
    access: anyone,
    reply: { 200: preferences },
    errors: [],
  }),
  putNotificationPreferences: defineRoute({
    method: 'PUT',
    path: '/notifications/preferences',
    tag,
    summary: 'Change the notification settings of the caller; types left out stay as they are',
    access: anyone,
    body: choices.meta({ examples: [{ alert_opened: { inApp: true, email: 'daily' } }] }),
    reply: { 200: preferences },
    errors: ['validation_failed', 'view_as_read_only'],
    audit: 'notification.preferences_changed',
  }),
  showUnsubscribe: defineRoute({ ...unsubscribePage, path: '/notifications/unsubscribe', tag }),
  unsubscribe: defineRoute({
    ...oneClick,
    path: '/notifications/unsubscribe',
    tag,
    summary: 'Switch off the kind of mail that carried the link, without a login; mail programs post List-Unsubscribe=One-Click (RFC 8058)',
    audit: 'notification.preferences_changed',
  }),
  readNotification: defineRoute({
    method: 'POST',
    path: '/notifications/:id/read',
    tag,
    summary: 'Mark one as read',
    access: anyone,
    params: idParams,
    reply: { 204: nothing },
    errors: ['not_found', 'view_as_read_only'],
    changesNothing: 'Only the reader’s own mark of what they have seen.',
  }),
  readAllNotifications: defineRoute({
    method: 'POST',
    path: '/notifications/read-all',
    tag,
    summary: 'Mark all as read',
    access: anyone,
    reply: { 204: nothing },
    errors: ['view_as_read_only'],
    changesNothing: 'Only the reader’s own mark of what they have seen.',
  }),
  sendSampleNotification: defineRoute({
    method: 'POST',
    path: '/notifications/sample',
    tag,
    summary: 'Send the caller a sample: one in the bell and one by mail, at most one a minute',
    access: anyone,
    reply: { 204: nothing },
    errors: ['view_as_read_only'],
    changesNothing: 'Goes to the caller alone and says nothing.',
  }),
};
