import type { ReactNode } from 'react';
import { CopyButton } from '../controls/copy-button.tsx';
import './code-block.css';

/** Code with a name and a Copy button; it scrolls on its own, not the page. */
export function CodeBlock({ name, code, aside, children }: { name: ReactNode; code: string; aside?: ReactNode; children?: ReactNode }) {
  return (
    <div className="code-block">
      <div className="code-block-header">
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {aside}
        <CopyButton text={code} icon />
      </div>
      <pre tabIndex={0}>
        <code>{children ?? code}</code>
      </pre>
    </div>
  );
}
