/** What every text is written with: the agency's name as one line, times in its zone, links that stay in this house. */
export type Voice = { agency: string; when(at: Date): string; link(href: string): string };

/** What a mail says, free of any markup: the renderers make HTML and text of it, and escape. */
export type Content = {
  subject: string;
  heading: string;
  blocks: readonly Block[];
  /** Why this person gets this mail; stands small at the end. */
  reason: string;
};

export type Block =
  | { kind: 'text'; text: string }
  /** Somebody's own words, shown as such. */
  | { kind: 'quote'; text: string }
  | { kind: 'facts'; rows: readonly (readonly [label: string, value: string])[] }
  /** The one thing to do. The address stands in the open as well, for programs that show no buttons. */
  | { kind: 'action'; label: string; url: string }
  | { kind: 'items'; items: readonly { title: string; body: string; at: string; url: string | null }[] }
  | { kind: 'small'; text: string };

export const text = (words: string): Block => ({ kind: 'text', text: words });
export const small = (words: string): Block => ({ kind: 'small', text: words });
export const action = (label: string, url: string): Block => ({ kind: 'action', label, url });
export const facts = (...rows: (readonly [string, string])[]): Block => ({ kind: 'facts', rows });
/** Nothing when there are no words. */
export const quote = (words: string): Block[] => (words === '' ? [] : [{ kind: 'quote', text: words }]);
