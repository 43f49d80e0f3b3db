import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import type { Guide } from './guide-values.ts';

/** Setup steps at the provider with the values to paste. */
export function ProviderGuide({ guide: { steps, facts, warning, isTried } }: { guide: Guide }) {
  return (
    <div className="grid gap-3">
      {warning ? <Note tone="warn">{warning}</Note> : null}
      <ol className="grid gap-2.5">
        {steps.map(({ text, copy }, at) => (
          <li key={text} className="flex gap-3">
            <span aria-hidden className="tabular-nums w-4 flex-none text-right text-ink-3">
              {at + 1}
            </span>
            <span className="min-w-0 flex-1">
              <span>{text}</span>
              {copy ? <CopyValue {...copy} /> : null}
            </span>
          </li>
        ))}
      </ol>
      <details>
        <summary className="link min-h-8 cursor-pointer py-1.5">What it sends, and what we expect</summary>
        <dl className="grid gap-2">
          {facts.map(([name, text]) => (
            <div key={name}>
              <dt className="text-xs text-ink-3">{name}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </details>
      {isTried ? null : (
        <p className="text-xs text-ink-3">
          Written from the provider’s public documentation; we have not set it up ourselves. The test login shows what differs.
        </p>
      )}
    </div>
  );
}

/** One of our values with the provider's field name. */
export function CopyValue({ label, value }: { label: string; value: string }) {
  return (
    <span className="mt-1.5 flex items-center gap-2 rounded-md border border-line-soft bg-sunken py-1 pr-1 pl-3">
      <span className="min-w-0 flex-1">
        <span className="block text-xs text-ink-3">{label}</span>
        <code className="block break-all">{value}</code>
      </span>
      <CopyButton icon text={value} label={`Copy ${label}`} />
    </span>
  );
}
