import { Fragment, type ReactNode } from 'react';

/** Encloses a part of a sentence; no text holds it. */
const MARK = '\uE000';

/** A value of a message that is shown in a form of its own, such as a key: languages put it at different places. */
export function markPart(text: string): string {
  return `${MARK}${text}${MARK}`;
}

/** A sentence whose marked parts are shown by `part`. */
export function MarkedText({ children, part }: { children: string; part: (text: string) => ReactNode }) {
  return children.split(MARK).map((text, at) => <Fragment key={at}>{at % 2 === 0 ? text : part(text)}</Fragment>);
}
