import type { Json } from '../../ui/text/json-viewer.tsx';
import type { Call } from './queries.ts';

/** What a call to a service says, as a person reads it. */
export type CallContent =
  | { kind: 'text'; from: string; to: string; body: string }
  | { kind: 'mail'; from: string; to: string; subject: string; body: string }
  | { kind: 'prompt'; model: string; messages: { role: string; text: string }[] }
  | { kind: 'data'; value: Json }
  | { kind: 'none' };

export function readCall({ provider, path, body }: Pick<Call, 'provider' | 'path' | 'body'>): CallContent {
  if (!body) return { kind: 'none' };
  if (provider === 'twilio') return readText(new URLSearchParams(body));
  const value = parse(body);
  if (!isRecord(value)) return { kind: 'data', value };
  if (provider === 'resend' && path.endsWith('/emails')) return readMail(value);
  if (provider === 'openai' || provider === 'anthropic') return readPrompt(value);
  return { kind: 'data', value };
}

/** The one line of the list. */
export function describeCall(call: Call): string {
  const content = readCall(call);
  switch (content.kind) {
    case 'text':
      return content.body;
    case 'mail':
      return content.subject;
    case 'prompt':
      return content.messages.findLast((message) => message.role === 'user')?.text ?? content.model;
    default:
      return describeRequest(call);
  }
}

/** Whom a text or a mail was for; empty for other calls. */
export function receiverOf(call: Call): string {
  const content = readCall(call);
  return content.kind === 'text' || content.kind === 'mail' ? content.to : '';
}

function describeRequest({ provider, method, path }: Call): string {
  if (provider !== 'calcom') return method === 'GET' ? 'Checked the key' : `${method} ${path}`;
  if (path.includes('/slots')) return 'Asked for free times';
  if (path.includes('/cancel')) return 'Cancelled a booking';
  if (path.includes('/bookings')) return method === 'POST' ? 'Made a booking' : 'Looked up a booking';
  return 'Checked the key';
}

function readText(form: URLSearchParams): CallContent {
  return {
    kind: 'text',
    from: form.get('From') ?? form.get('MessagingServiceSid') ?? '',
    to: form.get('To') ?? '',
    body: form.get('Body') ?? '',
  };
}

function readMail(mail: Record<string, Json>): CallContent {
  const to = Array.isArray(mail['to']) ? mail['to'].map(text).join(', ') : text(mail['to']);
  return {
    kind: 'mail',
    from: text(mail['from']),
    to,
    subject: text(mail['subject']),
    body: text(mail['text']) || stripTags(text(mail['html'])),
  };
}

function readPrompt(request: Record<string, Json>): CallContent {
  const given = Array.isArray(request['messages']) ? request['messages'].filter(isRecord) : [];
  const system = request['system'] ? [{ role: 'system', text: textOfParts(request['system']) }] : [];
  return {
    kind: 'prompt',
    model: text(request['model']),
    messages: [...system, ...given.map((message) => ({ role: text(message['role']), text: textOfParts(message['content']) }))],
  };
}

/** A message's content is a text or a list of parts that hold one. */
function textOfParts(content: Json | undefined): string {
  if (!Array.isArray(content)) return text(content);
  return content
    .filter(isRecord)
    .map((part) => text(part['text']))
    .join('\n');
}

/** The words of an HTML mail. It is parsed without being shown, so nothing in it runs or is fetched. */
function stripTags(html: string): string {
  const page = new DOMParser().parseFromString(html.replace(/<(?:br|\/p|\/tr|\/li|\/h\d|\/div)\b[^>]*>/gi, '$&\n'), 'text/html');
  for (const part of page.querySelectorAll('style, script, title')) part.remove();
  return (page.body.textContent ?? '')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n\s*\n\s*/g, '\n\n')
    .trim();
}

function parse(body: string): Json {
  try {
    return JSON.parse(body) as Json; // any JSON is a Json
  } catch {
    return body;
  }
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function isRecord(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
