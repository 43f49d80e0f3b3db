import { z } from 'zod';
import { id, time } from '../primitives.ts';
import { ACCESS_LOG_KINDS, ACCESS_LOG_SIDES, DATA_KINDS, KEY_OWNERS, PROVIDERS, RETAINED } from '../vocabulary.ts';

const service = z.object({ provider: z.enum(PROVIDERS), key: z.enum(KEY_OWNERS) });

/** How a client's data is processed, in terms that the client knows. */
export const trustRecord = z
  .object({
    agency: z.object({ name: z.string(), supportEmail: z.string().nullable() }),
    agents: z.array(
      z.object({
        id,
        name: z.string(),
        icon: z.string(),
        isActive: z.boolean(),
        data: z.array(z.enum(DATA_KINDS)),
        services: z.array(service),
        runs30d: z.number().int(),
        lastRunAt: time.nullable(),
      }),
    ),
    /** The language model of the client's chatbot; null without a chatbot that is on. */
    chatbot: service.nullable(),
    /** `days: null`: until the account is deleted. */
    retention: z.array(z.object({ what: z.enum(RETAINED), days: z.number().int().nullable() })),
  })
  .meta({ id: 'ClientTrust' });

export const accessLogEntry = z
  .object({
    id,
    at: time,
    kind: z.enum(ACCESS_LOG_KINDS),
    by: z.object({ side: z.enum(ACCESS_LOG_SIDES), name: z.string().nullable() }),
    /** Name of the agent, visitor, file, person or service it is about. */
    subject: z.string().nullable(),
    /** Name of the agent for which a key of the agency was used; null for the chatbot and for other entries. */
    agent: z.string().nullable(),
    /** Uses of a key on that day. */
    uses: z.number().int().nullable(),
  })
  .meta({ id: 'AccessLogEntry' });

export const clientPeopleRecord = z
  .object({
    people: z.array(
      z.object({
        id,
        fullName: z.string(),
        email: z.string(),
        avatarUrl: z.string().nullable(),
        lastLoginAt: time.nullable(),
        isYou: z.boolean(),
      }),
    ),
    invitations: z.array(z.object({ id, fullName: z.string().nullable(), email: z.string(), sentAt: time, expiresAt: time })),
    agency: z.object({ name: z.string(), supportEmail: z.string().nullable(), admins: z.array(z.string()) }),
  })
  .meta({ id: 'ClientPeople' });
