import { z } from 'zod';
import { id, jsonObject, time } from '../primitives.ts';
import { AGENT_HEALTH, PROVIDERS } from '../vocabulary.ts';
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

export const agentRecord = z
  .object({
    id,
    partnerId: id,
    clientId: id.nullable(),
    clientName: z.string().nullable(),
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
    lastRunAt: time.nullable(),
    runs30d: z.number().int(),
    failures30d: z.number().int(),
    creditsPerRun: z.number().int(),
    clientCanPause: z.boolean(),
    /** A run needs nothing from an event, so it may be started by hand as it is on schedule; the client portal offers that. */
    runsWithoutInput: z.boolean(),
    category: z.string(),
    icon: z.string(),
    installed: z.boolean(),
    /** Planned runs: how many are waiting, and when the next is due. */
    planned: z.object({ waiting: z.number().int(), nextAt: time.nullable() }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Agent' });
