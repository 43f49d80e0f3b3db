import { z } from 'zod';

/** The answer to the caller of a `/sync` webhook. */
export type WebhookReply = { status: number; headers: Record<string, string>; body: unknown };

const inputSchema = z.object({
  responseType: z.enum(['json', 'raw', 'redirect']).catch('json'),
  respond: z.enum(['stop', 'respond']).catch('stop'),
  fields: z
    .object({
      status: z.coerce.number().int().min(100).max(599).catch(200),
      headers: z.record(z.string(), z.coerce.string()).catch({}),
      body: z.unknown().optional(),
    })
    .catch({ status: 200, headers: {} }),
});

/** The reply that a `return_response` step gives, and whether the run ends there. */
export function replyOf(input: unknown): { reply: WebhookReply; stops: boolean } {
  const { fields, respond, responseType } = inputSchema.parse(input);
  if (responseType === 'redirect') {
    return { reply: { status: 301, headers: { location: String(fields.body ?? '') }, body: undefined }, stops: respond === 'stop' };
  }
  return { reply: { status: fields.status, headers: fields.headers, body: fields.body }, stops: respond === 'stop' };
}
