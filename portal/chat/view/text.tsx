/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { linkAddresses, type Part, readMarkup } from '../markup.ts';

/** An answer of the chatbot, with its lists and bold words. Each part reads in the direction of its script. */
export function RichText({ text }: { text: string }) {
  const blocks = useMemo(() => readMarkup(text), [text]);
  return (
    <>
      {blocks.map(({ kind, lines }, index) => {
        const items = lines.map(({ number, parts }, at) => (
          <li key={at} value={number ?? undefined} dir="auto">
            {parts.map(renderPart)}
          </li>
        ));
        if (kind === 'bullets') return <ul key={index}>{items}</ul>;
        if (kind === 'numbers') return <ol key={index}>{items}</ol>;
        return (
          <p key={index} dir="auto">
            {lines.flatMap(({ parts }, at) => [at > 0 && '\n', ...parts.map(renderPart)])}
          </p>
        );
      })}
    </>
  );
}

/** A text as a person wrote it; addresses are links. */
export function PlainText({ text }: { text: string }) {
  return <p dir="auto">{linkAddresses(text).map(renderPart)}</p>;
}

function renderPart(part: Part): ComponentChildren {
  if (part.kind === 'link') {
    return (
      <a href={part.href} target="_blank" rel="noopener noreferrer nofollow">
        {part.text}
      </a>
    );
  }
  if (part.kind === 'strong') return <strong>{part.text}</strong>;
  return part.kind === 'code' ? <code>{part.text}</code> : part.text;
}
