import type { Messages } from '@partner-portal/messages/messages.ts';

/** Formatting context of a text: the partner's name as one line, times in its time zone, links into this portal, and the reader's language with the tag of its numbers. */
export type TextContext = { partnerName: string; when(at: Date): string; link(href: string): string; t: Messages['t']; tag: string };

/** Content of a mail without markup; the renderers turn it into HTML and plain text and escape it. */
export type Content = {
  subject: string;
  heading: string;
  blocks: readonly Block[];
  /** Why the recipient gets this mail; shown in the footer. */
  reason: string;
};

export type Block =
  | { kind: 'text'; text: string }
  /** Text a person wrote, shown as a quotation. */
  | { kind: 'quote'; text: string }
  | { kind: 'facts'; rows: readonly (readonly [label: string, value: string])[] }
  /** The call to action. The address is also shown in full, for clients that render no buttons. */
  | { kind: 'action'; label: string; url: string }
  /** A quiet link: not what the mail is about. */
  | { kind: 'link'; label: string; url: string }
  | { kind: 'items'; items: readonly { title: string; body: string; at: string; url: string | null }[] }
  | { kind: 'small'; text: string };

export const text = (content: string): Block => ({ kind: 'text', text: content });
export const small = (content: string): Block => ({ kind: 'small', text: content });
export const action = (label: string, url: string): Block => ({ kind: 'action', label, url });
export const quietLink = (label: string, url: string): Block => ({ kind: 'link', label, url });
export const facts = (...rows: (readonly [string, string])[]): Block => ({ kind: 'facts', rows });
/** No block when the text is empty. */
export const quote = (content: string): Block[] => (content === '' ? [] : [{ kind: 'quote', text: content }]);
