import { z } from 'zod';
import { id, jsonObject, time } from '../primitives.ts';
import { AGENT_HEALTH, CLIENT_STATUSES, PROVIDERS, TEMPLATE_CATEGORIES } from '../vocabulary.ts';
import { agentSchedule } from './schedule.ts';
import { templateConfig, templateRecord } from './template.ts';

/**
 * A template in the catalog, with its readiness for one client. A client gets none of the optional members, and its lists are empty except for
 * `inputs`: what a run costs and needs concerns its agency.
 */
export const catalogEntry = templateRecord
  .partial({ templateVersion: true, creditsPerRun: true, timeoutMinutes: true, hoursSavedPerRun: true })
  .extend({
    ready: z.boolean().optional(),
    missingConnections: z.array(z.enum(PROVIDERS)),
    installed: z.boolean(),
  })
  .meta({ id: 'CatalogEntry' });

/** Headers of the connection and the sender: they say nothing of one event. */
const OTHER_HEADERS: readonly string[] = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'forwarded',
  'host',
  'origin',
  'referer',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];
const headerName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9-]{1,80}$/, 'A header has letters, digits and hyphens.')
  .refine((name) => !OTHER_HEADERS.includes(name), 'This header says nothing about one event.');
/** Which part of a date such as 05/01/2027 comes first. */
export const DATE_ORDERS = ['day_first', 'month_first'] as const;

/** Location of an incoming event's id: a header, or a value of the event (`order.id` for a member of a member). */
export const eventIdFrom = z
  .union([z.strictObject({ header: headerName }), z.strictObject({ input: z.string().trim().min(1).max(120) })])
  .meta({ id: 'EventIdFrom' });

export const agentRecord = z
  .object({
    id,
    partnerId: id,
    clientId: id.nullable(),
    clientName: z.string().nullable(),
    clientStatus: z.enum(CLIENT_STATUSES).nullable().describe('Unless it is active, its agents accept no events'),
    name: z.string(),
    description: z.string(),
    templateName: z.string(),
    templateVersion: z.number().int().nullable(),
    latestTemplateVersion: z.number().int(),
    isActive: z.boolean(),
    health: z.enum(AGENT_HEALTH),
    config: jsonObject,
    configSchema: z.array(templateConfig),
    missingConnections: z.array(z.enum(PROVIDERS)),
    /** Needed services whose key was refused at its last check. */
    refusedConnections: z.array(z.enum(PROVIDERS)),
    /** Keys of required settings that are empty; described in `configSchema`. */
    missingSettings: z.array(z.string()),
    /** When it runs by itself; null without a schedule. */
    schedule: agentSchedule.nullable(),
    lastRunAt: time.nullable(),
    runs30d: z.number().int(),
    failures30d: z.number().int(),
    creditsPerRun: z.number().int(),
    clientCanPause: z.boolean(),
    /** Location of its events' id, by which a repeated event starts nothing; null: as its template says, or in the header of a known sender. */
    eventIdFrom: eventIdFrom.nullable(),
    /** How its senders write dates such as 05/01/2027; null: as the country and language of the client say, and refused where these do not agree. */
    dateOrder: z.enum(DATE_ORDERS).nullable(),
    /** A run needs nothing from an event, so it may be started by hand as it is on schedule; the client portal offers that. */
    runsWithoutInput: z.boolean(),
    /** Its runs call a language model; on a key of the platform they cost its tokens too, also when they fail. */
    callsModel: z.boolean(),
    /** That of its template; `other` when there is none of its name. */
    category: z.enum([...TEMPLATE_CATEGORIES, 'other']),
    icon: z.string(),
    installed: z.boolean(),
    /** Planned runs: how many are waiting, and when the next is due. */
    planned: z.object({ waiting: z.number().int(), nextAt: time.nullable() }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Agent' });
