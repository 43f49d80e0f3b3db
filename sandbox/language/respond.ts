import { visitorTexts, type Answer, type Conversation } from './conversation.ts';
import { answerFrom, readPassages, unquote } from './passages.ts';
import { wantsKeys, writeAnswer } from './tasks.ts';
import { useTool } from './tools.ts';

/**
 * Stand-in for a language model: deterministic, with a response built from the conversation. After a tool's result it says what came of it;
 * given tools it calls one when the visitor wishes it; given passages it answers from the best one; else it does the tasks of agents.
 */
export function respond(request: Conversation): Answer {
  const conversation = { ...request, turns: request.turns.map((turn) => ({ ...turn, text: unwrap(turn.text) })) };
  const { system, turns, tools, isJson, isGullible } = conversation;
  const marks = marksIn(system);
  const texts = visitorTexts(turns);
  const injected = isGullible ? injectedCall(conversation) : null;
  const last = turns.at(-1);
  if (last?.role === 'tool') return say(reportResult(last.text));
  if (injected !== null) return injected;
  const used = useTool(conversation);
  if (used !== null) return used.text === '' ? used : say(marks.chat + used.text);
  if (isJson || wantsKeys(system)) return say(writeAnswer({ system, user: texts.join('\n') }, isJson));
  const question = texts.at(-1) ?? '';
  const passages = readPassages(system);
  const isChat = passages.length > 0 || tools.length > 0 || /\b(?:chatbot|visitor|passages?)\b/i.test(system);
  if (!isChat) return say(writeAnswer({ system, user: texts.join('\n') }, false));
  const polite = smallTalk(question);
  return say(polite === null ? (answerFrom(passages, question) ?? UNKNOWN + marks.unsure) : marks.chat + polite);
}

const UNKNOWN = 'I am sorry, I do not know that.';

/** Marks that instructions ask for: one at the end of a reply that does not know, one before small talk and questions. */
function marksIn(system: string): { unsure: string; chat: string } {
  return { unsure: system.includes('[unsure]') ? ' [unsure]' : '', chat: system.includes('[chat]') ? '[chat] ' : '' };
}

/** Texts that a caller passes as quoted data, such as `<visitor_message>…</visitor_message>`, are read as what was quoted. */
function unwrap(text: string): string {
  const inner = [...text.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, , content = '']) => content);
  return inner.length === 0 ? text : unquote(inner.join('\n'));
}

function say(text: string): Answer {
  return { text, calls: [] };
}

const SMALL_TALK: readonly [RegExp, string][] = [
  [/^(?:hi|hello|hey|good (?:morning|afternoon|evening))\b[\s\w]{0,12}[!.?]*$/i, 'Hello! How can I help you?'],
  [/^(?:thanks|thank you|great|perfect|ok|okay)\b[\s\w,]{0,24}[!.]*$/i, 'You are welcome. Is there anything else I can do for you?'],
  [/^(?:bye|goodbye|see you)\b[\s\w]{0,12}[!.]*$/i, 'Goodbye, and have a good day.'],
];

function smallTalk(text: string): string | null {
  return SMALL_TALK.find(([form]) => form.test(text.trim()))?.[1] ?? null;
}

/** A text such as `CALL send_text {"to":"+1…"}` anywhere in the conversation. */
const INJECTED = /\bCALL ([\w-]{1,64}) (\{[^\n]*\})/;

// Simulates a model that takes data for instructions: the service must withstand it.
function injectedCall({ system, turns }: Conversation): Answer | null {
  const found = INJECTED.exec([...turns.map((turn) => turn.text).toReversed(), system].join('\n'));
  const input = parseObject(found?.[2] ?? '');
  return found === null || input === null ? null : { text: '', calls: [{ name: found[1] ?? '', input }] };
}

/** Says in a sentence what a tool returned: its summary or error when it names one, else its first values. */
function reportResult(text: string): string {
  const result = parseObject(text);
  if (result === null) {
    if (text.trim() === '') return 'That is done.';
    return `${/\b(?:failed|could not|not possible|unavailable)\b/i.test(text) ? 'I am sorry, that did not work' : 'Done'}: ${sentence(text)}`;
  }
  const error = textIn(result['error']) || textIn(result['message'], /fail|refus|error|unavailable|unknown/i.test(statusOf(result)));
  if (error !== '' || /fail|refus|error|unavailable|unknown/i.test(statusOf(result)))
    return `I am sorry, that did not work${error === '' ? '.' : `: ${sentence(error)}`}`;
  const summary = textIn(result['summary']) || textIn(result['message']) || textIn(result['result']);
  // What caused it is said by the conversation itself.
  if (summary !== '') return `Done: ${sentence(summary.replace(/ after an? [^.]*/, ''))}`;
  const inner = parseObject(JSON.stringify(result['output'] ?? null)) ?? result;
  const values = Object.entries(inner).filter(
    ([name, value]) => typeof value === 'string' && value !== '' && !/id$|status|kind/i.test(name),
  );
  if (values.length === 0) return 'That is done.';
  return `Done: ${values
    .slice(0, 3)
    .map(([name, value]) => `${name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()} ${String(value)}`)
    .join(', ')}.`;
}

function statusOf(result: { readonly [key: string]: unknown }): string {
  return textIn(result['status']) || textIn(result['kind']);
}

function textIn(value: unknown, isWanted = true): string {
  if (!isWanted) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string' ? value.message : '';
}

function sentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, 300);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

function parseObject(text: string): { readonly [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    // A parse boundary: any JSON object, read as named values.
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as { readonly [key: string]: unknown }) : null;
  } catch {
    return null;
  }
}
