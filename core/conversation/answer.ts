import { beginOf } from '../text/cut.ts';
import { sentencesOf, wholeSentencesOf } from '../text/sentences.ts';
import { CHAT_MARK, UNSURE_MARK } from './instructions.ts';

/** Reads what a model wrote: marks and numbers of passages are taken out, in the stream and in the whole text alike. */

export type Answer = {
  text: string;
  /** Numbers of the passages it stands on, from 1, in the order of their first use. */
  cited: readonly number[];
  /** It does not know the answer, or states something that stands on no passage and asks nothing. */
  isUnsure: boolean;
  /** It states something that stands on no passage. */
  isUnfounded: boolean;
  /** What may be shown of an unfounded text: the questions of a short one. */
  questions: string;
  /** The model had more to say than it may write. */
  isCut: boolean;
};

/** What a model wrote, and how it ended. */
export type Written = { text: string; finishReason: 'stop' | 'length' | 'refused' | 'tool' };

const CITATION = /^\[\s*\d{1,3}(?:\s*,\s*\d{1,3})*\s*\]$/;
const MARKS = [UNSURE_MARK, CHAT_MARK];
const MARK_LENGTH_MAX = 40;
/** No column stores it. */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const UNSTORED = /\u0000/g;
const TEXT_MAX = 6_000;
/** Longer texts with a question mark state something besides. */
const QUESTION_LENGTH_MAX = 240;
/** One word that states a fact. */
const YES_OR_NO = /^(?:yes|yeah|yep|no|nope|ja|nein|doch|s[íi]|oui|non)$/i;

/** Returns a whole reply. Without a passage to stand on it may greet, thank or ask, but not answer: a question behind a polite sentence counts, the sentence does not; one that was refused says nothing. */
export function readAnswer({ text: written, finishReason }: Written, offered: number): Answer {
  const filter = createAnswerFilter();
  const all = beginOf(`${filter.push(written)}${filter.end()}`.trim(), TEXT_MAX);
  const isCut = finishReason === 'length' && all !== '';
  const text = finishReason === 'refused' ? '' : isCut ? wholeSentencesOf(all) : all;
  const cited = [...new Set(filter.cited().filter((number) => number >= 1 && number <= offered))];
  const isUnfounded = cited.length === 0 && text !== '' && !filter.isUnsure() && !filter.isChat() && !isQuestion(text);
  const questions = isUnfounded ? questionsOf(text).join(' ') : '';
  const isUnsure = filter.isUnsure() || (isUnfounded && questions === '') || text === '';
  return { text, cited, isUnsure, isUnfounded, questions, isCut };
}

export type AnswerFilter = {
  /** Returns the part of the text that may be shown; what may still become a mark is held back. */
  push(text: string): string;
  end(): string;
  cited(): readonly number[];
  isUnsure(): boolean;
  isChat(): boolean;
};

/** Takes marks out of a text that arrives in pieces. However it is cut, the same text comes out. */
export function createAnswerFilter(): AnswerFilter {
  let held = '';
  let hasBegun = false;
  let isUnsure = false;
  let isChat = false;
  const cited: number[] = [];

  const read = (mark: string): boolean => {
    if (CITATION.test(mark)) for (const number of mark.match(/\d+/g) ?? []) cited.push(Number(number));
    else if (mark === UNSURE_MARK) isUnsure = true;
    else if (mark === CHAT_MARK) isChat = true;
    else return false;
    return true;
  };
  const take = (isLast: boolean): string => {
    let out = '';
    while (held !== '') {
      const first = held.indexOf('[');
      if (first < 0) {
        // Blanks before a mark leave with it.
        const end = isLast ? held.length : held.trimEnd().length;
        out += held.slice(0, end);
        held = held.slice(end);
        break;
      }
      const at = held.slice(0, first).trimEnd().length;
      out += held.slice(0, at);
      held = held.slice(at);
      const open = first - at;
      // A mark is short: however long the text is, it is read once.
      const ahead = held.slice(open, open + MARK_LENGTH_MAX);
      const mark = ahead.slice(0, ahead.indexOf(']') + 1);
      if (mark === '' && !isLast && couldBeMark(held.slice(open, open + MARK_LENGTH_MAX + 1))) break;
      if (mark !== '' && read(mark)) held = held.slice(open + mark.length);
      else {
        out += held.slice(0, open + 1);
        held = held.slice(open + 1);
      }
    }
    if (!hasBegun) out = out.trimStart();
    hasBegun ||= out !== '';
    return out;
  };
  return {
    push(text) {
      held += text.replace(UNSTORED, '');
      return take(false);
    },
    end: () => take(true),
    cited: () => cited,
    isUnsure: () => isUnsure,
    isChat: () => isChat,
  };
}

/** Whether more text could complete it to a mark. */
function couldBeMark(text: string): boolean {
  if (text.length >= MARK_LENGTH_MAX) return false;
  return MARKS.some((mark) => mark.startsWith(text)) || /^\[[\d\s,]*$/.test(text);
}

/** Whether a text only asks: each of its sentences is a question, or a word or two such as "Gladly!" that answer none. */
function isQuestion(text: string): boolean {
  const sentences = sentencesOf(text);
  return questionsOf(text).length > 0 && sentences.every((sentence) => asks(sentence) || isInterjection(sentence));
}

function questionsOf(text: string): string[] {
  return text.length > QUESTION_LENGTH_MAX ? [] : sentencesOf(text).filter(asks);
}

const asks = (sentence: string): boolean => /[?？؟]["'”’»)\]\s\p{Extended_Pictographic}\uFE0F]*$/u.test(sentence);

function isInterjection(sentence: string): boolean {
  const words = sentence.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? [];
  return words.length <= 2 && !/\p{N}/u.test(sentence) && !words.some((word) => YES_OR_NO.test(word));
}
