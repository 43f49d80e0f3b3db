import { Eye, Shield } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import './two-errors.css';

/** One failure in its two texts: what staff read, and what the partner reads. The halves never mix. */
export function TwoErrors({ lastError, errorPublic, note }: { lastError: string; errorPublic: string; note?: ReactNode }) {
  return (
    <div className="two-errors">
      <div>
        <header>
          <Shield className="icon-small text-ink-3" aria-hidden />
          <b>Staff only</b>
          <span className="text-ink-3">lastError</span>
          <span className="ml-auto">
            <CopyButton text={lastError} icon />
          </span>
        </header>
        <pre>{lastError}</pre>
      </div>
      <div>
        <header>
          <Eye className="icon-small text-ink-3" aria-hidden />
          <b>What the partner sees</b>
          <span className="text-ink-3">errorPublic</span>
          <span className="ml-auto">
            <CopyButton text={errorPublic} icon />
          </span>
        </header>
        <p className="px-3.5 pb-2 text-base font-medium text-pretty">{errorPublic}</p>
        {note ? <p className="px-3.5 pb-3 text-xs text-ink-3">{note}</p> : null}
      </div>
    </div>
  );
}
