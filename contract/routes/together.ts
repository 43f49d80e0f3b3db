import { z } from 'zod';
import { LIMITS } from '../vocabulary.ts';
import { defineRoute, type SessionAccess } from '../define-route.ts';
import { csvText } from '../primitives.ts';

const tag = 'auth';

/** Each read and each stream is checked by its own route. */
const anyone: SessionAccess = {
  kind: 'session',
  roles: ['ADMIN', 'PARTNER', 'CLIENT'],
  write: false,
  whileSuspended: true,
  inViewAs: true,
};

const path = z
  .string()
  .regex(/^\//, 'Give a path of this API, beginning with "/".')
  .max(LIMITS.innerPathMax)
  .meta({ description: 'Path and query of a GET route that answers a session with JSON.', examples: ['/metering/quota'] });

const EVENTS = `id: 0:1767604364102
event: notification.count
data: {"unread":2}

id: 0:
event: ended
data: {}

`;

export const togetherRoutes = {
  readTogether: defineRoute({
    method: 'POST',
    path: '/reads',
    tag,
    summary: 'Read several routes with one request; each reply is sent as soon as it is known, in any order',
    access: anyone,
    bodyLimit: LIMITS.togetherBodyBytesMax,
    body: z.object({ reads: z.array(path).min(1).max(LIMITS.readsTogetherMax) }),
    format: 'lines',
    reply: {
      200: z.object({
        read: z
          .number()
          .int()
          .meta({ description: 'Index of the path in `reads`.', examples: [0] }),
        status: z
          .number()
          .int()
          .meta({ description: 'Status with which the route alone would respond.', examples: [200] }),
        body: z.unknown().meta({
          description: 'Body with which it would respond: a reply or a problem.',
          examples: [{ periodStart: '2026-01-01T00:00:00.000Z' }],
        }),
      }),
    },
    errors: [],
    changesNothing: 'Reads only.',
  }),
  followTogether: defineRoute({
    method: 'POST',
    path: '/streams',
    tag,
    summary: 'Follow several event streams with one request; each event ID begins with the index of its stream and a colon',
    access: anyone,
    bodyLimit: LIMITS.togetherBodyBytesMax,
    body: z.object({
      follow: z
        .array(
          z.object({
            path: path.meta({ description: 'Path and query of a GET route with an event stream.', examples: ['/notifications/stream'] }),
            lastEventId: z
              .string()
              .max(LIMITS.eventIdMax)
              .regex(/^[!-~]*$/, 'Give the ID as it was received.')
              .optional()
              .meta({ description: 'Id of the last event that was received, without index and colon.', examples: ['1767604364102'] }),
          }),
        )
        .min(1)
        .max(LIMITS.streamsTogetherMax),
    }),
    format: 'events',
    reply: {
      200: csvText.meta({
        description:
          'The events of all streams. `opened` says that a stream sends each change from then on; `refused`, with a problem, says that a stream could not be opened; `ended` that it sends nothing more.',
        examples: [EVENTS],
      }),
    },
    errors: [],
    changesNothing: 'Reads only.',
  }),
};
