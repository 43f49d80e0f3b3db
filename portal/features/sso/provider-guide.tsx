import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import type { Guide } from './provider-steps.ts';

/** Setup steps at the provider with the values to paste. */
export function ProviderGuide({ guide: { steps, warning } }: { guide: Guide }) {
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
              <span className="break-words">{text}</span>
              {copy ? <CopyValue {...copy} /> : null}
            </span>
          </li>
        ))}
      </ol>
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
