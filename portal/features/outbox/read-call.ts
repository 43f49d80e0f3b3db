import { isObject } from '@partner-portal/core/json/is-object.ts';
import type { Json } from '../../ui/text/json-viewer.tsx';
import type { Call } from './queries.ts';

/** Readable content of a call to an external service. */
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
  if (!isObject(value)) return { kind: 'data', value };
  if (provider === 'resend' && path.endsWith('/emails')) return readMail(value);
  if (provider === 'openai' || provider === 'anthropic') return readPrompt(value);
  return { kind: 'data', value };
}

/** Returns the one-line summary of a call. */
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

/** Returns the recipient of a text or e-mail; empty for other calls. */
export function receiverOf(call: Call): string {
  const content = readCall(call);
  return content.kind === 'text' || content.kind === 'mail' ? content.to : '';
}

function describeRequest({ provider, method, path }: Call): string {
  if (provider !== 'calcom') return method === 'GET' ? 'Checked the key' : `${method} ${path}`;
  if (path.includes('/slots')) return 'Requested available times';
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
  const given = Array.isArray(request['messages']) ? request['messages'].filter(isObject) : [];
  const system = request['system'] ? [{ role: 'system', text: textOfParts(request['system']) }] : [];
  return {
    kind: 'prompt',
    model: text(request['model']),
    messages: [...system, ...given.map((message) => ({ role: text(message['role']), text: unquoted(textOfParts(message['content'])) }))],
  };
}

/** What a visitor wrote, without the element that marks it as data for the model. */
function unquoted(message: string): string {
  return /^<visitor_message>([\s\S]*)<\/visitor_message>$/.exec(message.trim())?.[1] ?? message;
}

/** Message content is a string or a list of parts with text. */
function textOfParts(content: Json | undefined): string {
  if (!Array.isArray(content)) return text(content);
  return content
    .filter(isObject)
    .map((part) => text(part['text']))
    .join('\n');
}

/** Extracts the text of an HTML e-mail. Parsed without rendering, so nothing in it runs or is fetched. */
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
    return JSON.parse(body) as Json; // any parsed JSON is Json
  } catch {
    return body;
  }
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
