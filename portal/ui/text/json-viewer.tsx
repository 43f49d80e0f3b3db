import { useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import './json-viewer.css';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const STRING_MAX = 120;
const OPEN_DEPTH = 3;

type Props = {
  name: React.ReactNode;
  value: Json;
  aside?: React.ReactNode;
  /** The text that Copy copies where the exact bytes matter, such as a signed body; by default the indented value. */
  text?: string;
  /** Shown above the value, such as the headers of a request. */
  above?: React.ReactNode;
};

/** A value as highlighted JSON: collapsed from the third level, long strings cut, masked values ("···") not copyable. */
export function JsonViewer({ name, value, aside, text, above }: Props) {
  return (
    <CodeBlock name={name} code={text ?? JSON.stringify(value, null, 2)} aside={aside}>
      {above}
      <Value value={value} depth={0} path="" />
    </CodeBlock>
  );
}

function Value({ value, depth, path }: { value: Json; depth: number; path: string }) {
  if (value === null) return <span className="json-null">null</span>;
  if (typeof value === 'string') return <Text value={value} path={path} />;
  if (typeof value !== 'object') return <span className="json-number">{String(value)}</span>;
  const isList = Array.isArray(value);
  const entries: [string, Json][] = isList ? value.map((item, at) => [String(at), item]) : Object.entries(value);
  return <Group entries={entries} isList={isList} depth={depth} path={path} />;
}

function Group({ entries, isList, depth, path }: { entries: [string, Json][]; isList: boolean; depth: number; path: string }) {
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0)
    return (
      <>
        {open}
        {close}
      </>
    );
  if (!isOpen) {
    return (
      <button
        type="button"
        className="json-null hover:underline"
        onClick={() => setOpen(true)}
        aria-label={`Show ${entries.length} values`}
      >
        {open} {entries.length} {close}
      </button>
    );
  }
  const indent = '  '.repeat(depth + 1);
  return (
    <>
      {depth > 0 ? (
        <button type="button" className="json-null hover:underline" onClick={() => setOpen(false)} aria-label="Hide these values">
          {open}
        </button>
      ) : (
        open
      )}
      {'\n'}
      {entries.map(([key, item], at) => (
        <span key={key}>
          {indent}
          {isList ? null : <span className="json-key">"{key}": </span>}
          <Value value={item} depth={depth + 1} path={path ? `${path}.${key}` : key} />
          {at < entries.length - 1 ? ',' : ''}
          {'\n'}
        </span>
      ))}
      {'  '.repeat(depth)}
      {close}
    </>
  );
}

function Text({ value, path }: { value: string; path: string }) {
  const [isWhole, setWhole] = useState(false);
  const isMasked = value.includes('···');
  const shown = isWhole || value.length <= STRING_MAX ? value : value.slice(0, STRING_MAX);
  return (
    <span className={isMasked ? 'json-string select-none' : 'json-string'} title={path}>
      {JSON.stringify(shown).slice(0, shown === value ? undefined : -1)}
      {shown === value ? null : (
        <button type="button" className="link" onClick={() => setWhole(true)}>
          … Expand
        </button>
      )}
    </span>
  );
}
