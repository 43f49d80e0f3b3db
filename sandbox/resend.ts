import { randomUUID } from 'node:crypto';
import { bearerOf, fieldsOf, isGoodSecret, textOf, type Ask, type Reply, type StandIn } from './provider.ts';

/** The transactional mail service: `POST /emails` with a bearer key. */
export const resend: StandIn = {
  answer(ask) {
    const key = bearerOf(ask.headers);
    if (key === undefined) return refusal(401, 'missing_api_key', 'Missing API key in the authorization header');
    // Resend refuses a list with another status and name than a mail.
    if (!isGoodSecret(key))
      return ask.path === '/domains'
        ? refusal(400, 'validation_error', 'API key is invalid')
        : refusal(403, 'invalid_api_key', 'API key is invalid');
    if (ask.path === '/domains')
      return ask.method === 'GET' ? { status: 200, body: { object: 'list', has_more: false, data: [] } } : methodRefused();
    if (ask.path !== '/emails') return refusal(404, 'not_found', 'The requested endpoint does not exist');
    return ask.method === 'POST' ? sendMail(ask) : methodRefused();
  },
};

function sendMail(ask: Ask): Reply {
  const fields = fieldsOf(ask.body);
  const to = Array.isArray(fields['to']) ? fields['to'].map(textOf) : [textOf(fields['to'])];
  for (const name of ['from', 'to', 'subject'] as const) {
    if (fields[name] === undefined || fields[name] === '') return refusal(422, 'missing_required_field', `Missing \`${name}\` field.`);
  }
  if (textOf(fields['html']) === '' && textOf(fields['text']) === '')
    return refusal(422, 'missing_required_field', 'Missing `html` or `text` field.');
  if (!isMailbox(textOf(fields['from']))) return refusal(422, 'validation_error', invalid('from'));
  if (to.length === 0 || !to.every(isMailbox)) return refusal(422, 'validation_error', invalid('to'));
  if (to.length > 50) return refusal(422, 'validation_error', 'The `to` field may hold at most 50 addresses.');
  return { status: 200, body: { id: randomUUID() } };
}

/** A name before an address, as RFC 5322 §3.4 has it: atoms (encoded words are such), spaces, dots (§4.1) and quoted strings, in ASCII. */
const NAME = /^(?:[\w!#$%&'*+\-/=?^`{|}~ .]|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*")*$/;
const ADDRESS = /^[\w!#$%&'*+\-/=?^`{|}~]+(?:\.[\w!#$%&'*+\-/=?^`{|}~]+)*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z0-9-]{2,}$/;

/** Whether a text is an address, alone or as `Name <address>`. */
function isMailbox(text: string): boolean {
  const named = /^(.*)<([^<>]*)>$/s.exec(text.trim());
  return named ? NAME.test(named[1] ?? '') && ADDRESS.test(named[2] ?? '') : ADDRESS.test(text.trim());
}

function invalid(field: string): string {
  return `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` or \`Name <email@example.com>\` format.`;
}

function methodRefused(): Reply {
  return refusal(405, 'method_not_allowed', 'Method is not allowed for the requested path');
}

function refusal(statusCode: number, name: string, message: string): Reply {
  return { status: statusCode, body: { statusCode, name, message } };
}
